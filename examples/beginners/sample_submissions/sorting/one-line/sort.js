const readline = require("readline");
const rl = readline.createInterface({ input: process.stdin });
let numbers = [];
rl.on("line", (line) => {
    for (const word of line.split(" ")) {
        if (word !== "") {
            numbers.push(parseInt(word));
        }
    }
});
rl.on("close", () => {
    numbers.sort((a, b) => a - b);
    if (process.argv[2] === "-r") {
        numbers.reverse();
    }
    if (numbers.length > 0) console.log(numbers.join(" "));
});
