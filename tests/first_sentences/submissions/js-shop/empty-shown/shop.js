const fs = require("fs");
const stock = new Map();
let sold = 0;
let refused = 0;
for (const line of fs.readFileSync(0, "utf8").split("\n")) {
  if (!line) continue;
  const [kind, name, amount] = line.split(" ");
  const n = Number(amount);
  const there = stock.get(name) || 0;
  if (kind === "in") {
    stock.set(name, there + n);
  } else if (n > there) {
    refused++;
  } else {
    stock.set(name, there - n);
    sold += n;
  }
}
const names = [...stock.keys()].filter((name) => name).sort();
for (const name of names) {
  console.log(name + ": " + stock.get(name));
}
console.log("Sold: " + sold);
console.log("Refused: " + refused);
console.log("Low: " + (names.filter((name) => stock.get(name) < 5).join(", ") || "-"));
