const open = {}, counts = {};
let earned = 0;
require('fs').readFileSync(0, 'utf8').split('\n').forEach(row => {
  if (!row.trim()) return;
  const [table, dish, price] = row.trim();
  if (dish === 'pays') {
    const prices = open[table] || [];
    const sum = prices.reduce((s, p) => s + p, 0);
    console.log(`Table ${table}: ${prices.length ? `${sum.toFixed(2)} (${prices.length} dishes)` : 'nothing'}`);
    earned += sum;
    delete open[table];
  } else {
    (open[table] ||= []).push(Number(price));
    counts[dish] = (counts[dish] || 0) + 1;
  }
});
console.log(`Open: ${Object.keys(open).join(', ') || 'none'}`);
console.log(`Earned: ${earned.toFixed(2)}`);
console.log(`Favourite: ${Object.keys(counts).sort((a, b) => counts[b] - counts[a])[0] || 'none'}`);
