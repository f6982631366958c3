const fs = require("fs");
const input = fs.readFileSync(0).toString().trim();
if (input !== "") {
    const numbers = input.split(/\s+/);
    // Without a function, JavaScript compares texts.
    numbers.sort();
    if (process.argv.includes("-r")) {
        numbers.reverse();
    }
    for (const number of numbers) {
        console.log(number);
    }
}
