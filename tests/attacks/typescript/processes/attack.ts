// Tries to start two thousand processes from TypeScript. Safe: 0, failed or crashed or timeout or memory.
declare const require: any, process: any, Buffer: any;

run("i=0; while [ $i -lt 2000 ]; do sleep 3 & i=$((i+1)); done; echo tried");

function run(command: string): void {
    const done = require("child_process").spawnSync("/bin/sh", ["-c", command], {encoding: "utf8"});
    console.log(done.stdout, done.status);
}
