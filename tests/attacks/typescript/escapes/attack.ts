// Tries to rewrite the terminal of whoever looks from TypeScript. Safe: 0, failed.
declare const require: any, process: any, Buffer: any;

console.log("\x1b[2J\x1b]0;mine\x1b[8m");
