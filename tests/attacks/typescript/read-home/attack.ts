// Tries to read what the grader's home holds from TypeScript. Safe: 0, failed or crashed.
declare const require: any, process: any, Buffer: any;

show(process.env.ROOM + "/home/.netrc");
show(process.env.ROOM + "/home/.ssh/id");

function show(path: string): void {
    try {
        console.log("harm: read " + require("fs").readFileSync(path, "utf8"));
    } catch (error) {
        console.log("held");
    }
}
