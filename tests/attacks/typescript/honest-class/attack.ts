declare const process: any;

const n: number = Number(process.argv[2]);
class Sum {
    constructor(private n: number) {}
    value(): number {
        let total = 0;
        for (let i = 1; i <= this.n; i++) total += i;
        return total;
    }
}
console.log(new Sum(n).value());
