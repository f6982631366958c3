// Tries to read the spec and the reference from TypeScript. Safe: 0, failed or crashed.
declare const require: any, process: any, Buffer: any;

show(process.env.ROOM + "/course/specs/typescript.yaml");
show(process.env.ROOM + "/course/reference/sum.py");

function show(path: string): void {
    try {
        console.log("harm: read " + require("fs").readFileSync(path, "utf8"));
    } catch (error) {
        console.log("held");
    }
}
