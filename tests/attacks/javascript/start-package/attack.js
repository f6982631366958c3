// Tries to have scripts of a package run when it is handed in. Safe: 10, passed.
const n = Number(process.argv[2]);
console.log(n * (n + 1) / 2);
