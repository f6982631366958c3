declare const process: any;

const n: number = Number(process.argv[2]);
const numbers: number[] = [];
for (let i = 1; i <= n; i++) numbers.push(i);
console.log(numbers.reduce((a, b) => a + b, 0));
