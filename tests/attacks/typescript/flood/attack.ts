// Tries to print without end from TypeScript. Safe: 0, output or failed or timeout.
declare const require: any, process: any, Buffer: any;

for (let number = 0; number < 2e9; number++) require("fs").writeSync(1, "and on\n");
