// Tries to end a process of somebody else from TypeScript. Safe: 0, failed or crashed.
declare const require: any, process: any, Buffer: any;

run("kill -9 $VICTIM; kill -19 $VICTIM; echo tried");

function run(command: string): void {
    const done = require("child_process").spawnSync("/bin/sh", ["-c", command], {encoding: "utf8"});
    console.log(done.stdout, done.status);
}
