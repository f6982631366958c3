const fs = require("fs");

const stock = {};
let moves = 0;

function putIn(item, amount) {
  if (stock[item] === undefined) {
    stock[item] = 0;
  }
  stock[item] += amount;
  moves++;
}

function takeOut(item, amount) {
  const there = stock[item] || 0;
  if (amount > there) {
    console.log("Refused: " + item + " " + amount);
    return;
  }
  stock[item] = there - amount;
  moves++;
}

for (const line of fs.readFileSync(0, "utf8").trim().split("\n")) {
  const [what, item, number] = line.split(" ");
  if (what === "in") {
    putIn(item, number);
  } else {
    takeOut(item, Number(number));
  }
}

let largest = "";
for (const item of Object.keys(stock).sort()) {
  if (stock[item] > 0) {
    console.log(item + ": " + stock[item]);
    if (largest === "" || stock[item] > stock[largest]) {
      largest = item;
    }
  }
}
console.log("Moves: " + moves);
console.log("Largest: " + largest);
