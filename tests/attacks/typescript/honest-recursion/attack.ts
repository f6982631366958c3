declare const process: any;

const n: number = Number(process.argv[2]);
function sum(n: number): number {
    return n === 0 ? 0 : n + sum(n - 1);
}
console.log(sum(n));
