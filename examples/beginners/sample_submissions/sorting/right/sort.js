const text = require("fs").readFileSync(0, "utf8");
const numbers = text.split(/\s+/).filter((word) => word !== "").map(Number);
const sign = process.argv[2] === "-r" ? -1 : 1;
numbers.sort((a, b) => sign * (a - b));
if (numbers.length > 0) {
    console.log(numbers.join("\n"));
}
