const chunks = [];
process.stdin.on('data', c => chunks.push(c));
process.stdin.on('end', () => {
  const rows = chunks.join('').split('\n').filter(r => r.trim() !== '').map(r => r.trim().split(/\s+/));
  let prev = rows.length ? Number(rows[0][1]) : 0;
  let total = 0, cost = 0, best = '-', bestUse = -1;
  for (let i = 1; i < rows.length; i++) {
    const use = Number(rows[i][1]) - prev;
    console.log(rows[i][0] + ': ' + use + (use > 20 ? ' !' : ''));
    total += use;
    cost += 4 + Math.min(use, 20) * 1.5 + Math.max(use - 20, 0) * 2.25;
    if (use > bestUse) {
      bestUse = use;
      best = rows[i][0] + ' ' + use;
    }
  }
  console.log('Total: ' + total);
  console.log('Mean: ' + (rows.length > 1 ? (total / (rows.length - 1)).toFixed(1) : '-'));
  console.log('Most: ' + best);
  console.log('Cost: ' + cost.toFixed(2));
});
