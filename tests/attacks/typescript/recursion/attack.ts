// Tries to take all of the stack from TypeScript. Safe: 0, crashed or memory or timeout or failed.
declare const require: any, process: any, Buffer: any;

const deeper = (number: number): number => 1 + deeper(number + 1);
console.log(deeper(1));
