const n = Number(process.argv[2]);
console.log(n * (n + 1) / 2);
