const fs = require('fs');

const orders = fs.readFileSync(0, 'utf-8').split('\n').filter(Boolean).map(l => l.split(' '));

if (orders == []) {
  console.log('No orders');
  process.exit(0);
}

const totals = {};
let sum = 0;
let best = orders[0];
let most = 0;
for (const [item, n, price] of orders) {
  totals[item] = (totals[item] || 0) + n * price;
  sum += n * price;
  if (Number(price) > Number(best[2])) {
    best = [item, n, price];
  }
  most = Math.max(most, n);
}

for (const item of Object.keys(totals).sort()) {
  console.log(item + ': ' + totals[item].toFixed(2));
}
console.log('Total: ' + sum.toFixed(2));
console.log('Dearest: ' + best[0]);
console.log('Most: ' + most);
