import { total } from "./other";

declare const process: any;

const n: number = Number(process.argv[2]);
console.log(total(n));
