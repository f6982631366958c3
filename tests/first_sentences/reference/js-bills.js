const open = new Map();
const counts = new Map();
let earned = 0;
for (const line of require('fs').readFileSync(0, 'utf8').split('\n')) {
  const [table, dish, price] = line.trim().split(/\s+/);
  if (!table) continue;
  const bill = open.get(table) ?? [];
  if (dish === 'pays') {
    const sum = bill.reduce((a, b) => a + b, 0);
    console.log(`Table ${table}: ${bill.length ? `${sum.toFixed(2)} (${bill.length} dishes)` : 'nothing'}`);
    earned += sum;
    open.delete(table);
  } else {
    open.set(table, [...bill, Number(price)]);
    counts.set(dish, (counts.get(dish) ?? 0) + 1);
  }
}
console.log(`Open: ${[...open.keys()].sort((a, b) => a - b).join(', ') || 'none'}`);
console.log(`Earned: ${earned.toFixed(2)}`);
let favourite = 'none';
for (const [dish, n] of counts) if (n > (counts.get(favourite) ?? 0)) favourite = dish;
console.log(`Favourite: ${favourite}`);
