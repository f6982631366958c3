const fs = require("fs");
const input = fs.readFileSync(0, "utf8");

if (input === "") {
  console.log("No orders");
} else {
  const lines = input.split("\n");
  const spent = {};
  let total = 0;
  let dearest = "";
  let highest = 0;
  let most = 0;

  for (let i = 0; i < lines.length; i++) {
    const parts = lines[i].split(" ");
    const item = parts[0];
    const number = Number(parts[1]);
    const price = Number(parts[2]);
    if (!(item in spent)) {
      spent[item] = 0;
    }
    spent[item] += number * price;
    total += number * price;
    if (price > highest) {
      highest = price;
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
}
