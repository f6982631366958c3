// Tries to reach a server of the machine from TypeScript. Safe: 0, failed or crashed.
declare const require: any, process: any, Buffer: any;

require("net").connect(Number(process.env.PORT), "127.0.0.1")
    .on("connect", () => { console.log("harm: connected"); process.exit(); })
    .on("error", () => console.log("held"));
