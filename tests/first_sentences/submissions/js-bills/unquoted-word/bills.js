let earned = 0;
const bills = {};
const count = new Map();
for (const line of require('fs').readFileSync(0, 'utf8').split('\n')) {
  const [table, dish, price] = line.trim().split(' ');
  if (table === '') continue;
  bills[table] ??= [];
  switch (dish) {
    case pays: {
      const sum = bills[table].reduce((a, b) => a + b, 0);
      console.log(`Table ${table}: ${bills[table].length ? sum.toFixed(2) + ` (${bills[table].length} dishes)` : 'nothing'}`);
      earned += sum;
      delete bills[table];
      break;
    }
    default:
      bills[table].push(Number(price));
      count.set(dish, (count.get(dish) || 0) + 1);
  }
}
console.log('Open: ' + (Object.keys(bills).join(', ') || 'none'));
console.log('Earned: ' + earned.toFixed(2));
const sorted = [...count].sort((a, b) => b[1] - a[1]);
console.log('Favourite: ' + (sorted.length ? sorted[0][0] : 'none'));
