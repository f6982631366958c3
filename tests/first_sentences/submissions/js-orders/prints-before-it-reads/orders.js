const readline = require("readline");

const rl = readline.createInterface({ input: process.stdin });

const orders = [];

rl.on("line", (line) => {
  const [item, number, price] = line.split(" ");
  orders.push({ item: item, number: Number(number), price: Number(price) });
});

if (orders.length === 0) {
  console.log("No orders");
} else {
  const spent = {};
  let total = 0;
  let dearest = orders[0];
  let most = 0;
  for (const order of orders) {
    const cost = order.number * order.price;
    spent[order.item] = (spent[order.item] || 0) + cost;
    total += cost;
    if (order.price > dearest.price) {
      dearest = order;
    }
    most = Math.max(most, order.number);
  }
  for (const item of Object.keys(spent).sort()) {
    console.log(`${item}: ${spent[item].toFixed(2)}`);
  }
  console.log(`Total: ${total.toFixed(2)}`);
  console.log(`Dearest: ${dearest.item}`);
  console.log(`Most: ${most}`);
}
