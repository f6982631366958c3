// Tries to take all memory from TypeScript. Safe: 0, memory or crashed or failed or timeout.
declare const require: any, process: any, Buffer: any;

const kept: any[] = [];
for (let number = 0; number < 4000; number++) kept.push(Buffer.alloc(1 << 20, 1));
console.log(kept.length);
