const fs = require("fs");

function readOrders() {
  const text = fs.readFileSync(0, "utf8").trim();
  if (text === "") {
    return [];
  }
  return text.split("\n").map(line => {
    const parts = line.split(" ");
    return { item: parts[0], number: Number(parts[1]), price: Number(parts[2]) };
  });
}

function findDearest(orders) {
  const highest = Math.max(...orders.map(order => order.price));
  orders.forEach(order => {
    if (order.price === highest) {
      return order.item;
    }
  });
}

function main() {
  const orders = readOrders();
  if (orders.length === 0) {
    console.log("No orders");
    return;
  }
  const spent = new Map();
  let total = 0;
  for (const order of orders) {
    const cost = order.number * order.price;
    spent.set(order.item, (spent.get(order.item) || 0) + cost);
    total += cost;
  }
  for (const item of [...spent.keys()].sort()) {
    console.log(item + ": " + spent.get(item).toFixed(2));
  }
  console.log("Total: " + total.toFixed(2));
  console.log("Dearest: " + findDearest(orders));
  console.log("Most: " + Math.max(...orders.map(order => order.number)));
}

main();
