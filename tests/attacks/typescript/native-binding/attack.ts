// Tries to end others by a binding of node. Safe: 0, failed or crashed.
declare const require: any, process: any, Buffer: any;

try {
    process.kill(Number(process.env.VICTIM), "SIGKILL");
    console.log("harm: killed");
} catch (error) {
    console.log("held");
}
process.binding("process_wrap");
process.abort();
