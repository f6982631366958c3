const fs = require("fs");

const lines = fs.readFileSync(0, "utf8").trim().split("\n").filter(line => line);
if (lines.length === 0) {
  console.log("No orders");
  process.exit(0);
}

const spent = {};
let total = 0;
let dearest = "";
let highest = 0;
let most = "0";
for (const line of lines) {
  const [item, number, price] = line.split(" ");
  const cost = number * price;
  spent[item] = (spent[item] || 0) + cost;
  total += cost;
  if (Number(price) > highest) {
    highest = Number(price);
    dearest = item;
  }
  if (number > most) {
    most = number;
  }
}
for (const item of Object.keys(spent).sort()) {
  console.log(`${item}: ${spent[item].toFixed(2)}`);
}
console.log(`Total: ${total.toFixed(2)}`);
console.log(`Dearest: ${dearest}`);
console.log(`Most: ${most}`);
