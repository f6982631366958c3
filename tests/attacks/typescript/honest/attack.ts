declare const process: any;

const n: number = Number(process.argv[2]);
console.log(n * (n + 1) / 2);
