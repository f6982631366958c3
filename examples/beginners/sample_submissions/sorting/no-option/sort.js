const readline = require("readline");
const rl = readline.createInterface({ input: process.stdin, output: process.stdout });
const numbers = [];
rl.setPrompt("Number: ");
rl.prompt();
rl.on("line", (line) => {
    line.trim().split(" ").forEach((word) => { if (word) numbers.push(+word); });
    rl.prompt();
});
rl.on("close", () => {
    console.log();
    numbers.sort((a, b) => a - b);
    numbers.forEach((n) => console.log(n));
});
