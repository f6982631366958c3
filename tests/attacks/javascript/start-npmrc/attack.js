// Tries to have a file loaded before the program, by the settings of npm and node. Safe: 10, passed.
const n = Number(process.argv[2]);
console.log(n * (n + 1) / 2);
