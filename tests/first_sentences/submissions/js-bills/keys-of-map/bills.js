const { readFileSync } = require('fs');
const input = readFileSync(0, 'utf8').split('\n').filter(l => l.trim() !== '');
const open = new Map();
const orders = {};
let earned = 0;
for (const line of input) {
  const [table, dish, price] = line.split(' ');
  if (dish === 'pays') {
    const b = open.get(table);
    if (!b) console.log(`Table ${table}: nothing`);
    else {
      console.log(`Table ${table}: ${b.total.toFixed(2)} (${b.count} dishes)`);
      earned += b.total;
      open.delete(table);
    }
  } else {
    const b = open.get(table) || { total: 0, count: 0 };
    b.total += Number(price);
    b.count += 1;
    open.set(table, b);
    orders[dish] = (orders[dish] || 0) + 1;
  }
}
const numbers = Object.keys(open).map(Number).sort((a, b) => a - b);
console.log(`Open: ${numbers.length > 0 ? numbers.join(', ') : 'none'}`);
console.log(`Earned: ${earned.toFixed(2)}`);
let favourite = 'none', most = 0;
for (const dish in orders) if (orders[dish] > most) { favourite = dish; most = orders[dish]; }
console.log(`Favourite: ${favourite}`);
