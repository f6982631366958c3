// Tries to run for ever from TypeScript. Safe: 0, timeout.
declare const require: any, process: any, Buffer: any;

let number = 1;
while (number > 0) number ^= 2;
