// Tries to read the environment of every process from TypeScript. Safe: 0, failed or crashed.
declare const require: any, process: any, Buffer: any;

run("cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep canary; echo done");

function run(command: string): void {
    const done = require("child_process").spawnSync("/bin/sh", ["-c", command], {encoding: "utf8"});
    console.log(done.stdout, done.status);
}
