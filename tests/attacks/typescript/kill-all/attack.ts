// Tries to end every process that it sees from TypeScript. Safe: 0, failed or crashed or timeout.
declare const require: any, process: any, Buffer: any;

run("kill -9 -1; echo tried");

function run(command: string): void {
    const done = require("child_process").spawnSync("/bin/sh", ["-c", command], {encoding: "utf8"});
    console.log(done.stdout, done.status);
}
