// Tries to read what another student handed in from TypeScript. Safe: 0, failed or crashed.
declare const require: any, process: any, Buffer: any;

show(process.env.ROOM + "/course/typescript/honest/notes");

function show(path: string): void {
    try {
        console.log("harm: read " + require("fs").readFileSync(path, "utf8"));
    } catch (error) {
        console.log("held");
    }
}
