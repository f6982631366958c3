// Tries to leave a process that answers later from TypeScript. Safe: 0, failed or crashed or timeout.
declare const require: any, process: any, Buffer: any;

run("(sleep 4; cp /bin/sleep ./attack-left-behind; ./attack-left-behind 60) & echo tried");

function run(command: string): void {
    const done = require("child_process").spawnSync("/bin/sh", ["-c", command], {encoding: "utf8"});
    console.log(done.stdout, done.status);
}
