const { readFileSync } = require("fs");

const input = readFileSync(0, "utf8").trim();
if (!input) {
  console.log("No orders");
  process.exit();
}

const orders = input.split("\n").map((line) => {
  line.split(" ");
});

const sums = {};
let total = 0;
let best = { name: "", price: 0 };
let most = 0;

for (const order of orders) {
  const name = order[0];
  const count = Number(order[1]);
  const price = Number(order[2]);
  sums[name] = (sums[name] ?? 0) + count * price;
  total += count * price;
  if (price > best.price) {
    best = { name, price };
  }
  if (count > most) {
    most = count;
  }
}

Object.keys(sums).sort().forEach((name) => {
  console.log(`${name}: ${sums[name].toFixed(2)}`);
});
console.log("Total:", total.toFixed(2));
console.log("Dearest:", best.name);
console.log("Most:", most);
