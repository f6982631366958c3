const words = require("fs").readFileSync("/dev/stdin", "utf8").split(/\s+/);
const numbers = [];
for (let i = 0; i < words.length - 1; i++) {
    numbers.push(parseInt(words[i], 10));
}
// a bubble sort that never looks at the last of them
for (let i = 0; i < numbers.length; i++) {
    for (let j = 0; j < numbers.length - 2; j++) {
        if (numbers[j] > numbers[j + 1]) {
            const help = numbers[j];
            numbers[j] = numbers[j + 1];
            numbers[j + 1] = help;
        }
    }
}
if (process.argv[2] == "-r") numbers.reverse();
for (let i = 0; i < numbers.length; i++) {
    console.log(numbers[i]);
}
