const lines = require("fs").readFileSync(0, "utf8").split("\n");
const orders = [];

for (const line of lines) {
  if (line.trim() !== "") {
    const [item, number, price] = line.trim().split(" ");
    orders.push({ item, number: parseInt(number), price: parseFloat(price) });
  }
}

if (orders.length === 0) {
  console.log("No orders");
} else {
  const items = [];
  for (const order of orders) {
    const known = items.find((entry) => entry.name === order.item);
    if (known) {
      known.spent += order.number * order.price;
    } else {
      items.push({ name: order.item, spent: order.number * order.price });
    }
  }
  items.sort((a, b) => a.name > b.name);
  for (const entry of items) {
    console.log(`${entry.name}: ${entry.spent.toFixed(2)}`);
  }
  let total = 0;
  let dearest = orders[0];
  let most = 0;
  for (const order of orders) {
    total += order.number * order.price;
    if (order.price > dearest.price) dearest = order;
    if (order.number > most) most = order.number;
  }
  console.log(`Total: ${total.toFixed(2)}`);
  console.log(`Dearest: ${dearest.item}`);
  console.log(`Most: ${most}`);
}
