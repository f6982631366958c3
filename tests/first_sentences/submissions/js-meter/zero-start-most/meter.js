import { readFileSync } from 'fs';
const rows = readFileSync(0, 'utf8').split('\n').filter(Boolean).map(r => r.split(' '));
let total = 0;
let cost = 0;
let name = '';
let peak = 0;
rows.forEach(([month, reading], i) => {
  if (i === 0) return;
  const used = reading - rows[i - 1][1];
  console.log(`${month}: ${used}${used > 20 ? ' !' : ''}`);
  total += used;
  cost += 4 + 1.5 * Math.min(used, 20) + 2.25 * Math.max(used - 20, 0);
  if (used > peak) [name, peak] = [month, used];
});
console.log(`Total: ${total}`);
console.log(`Mean: ${rows.length > 1 ? (total / (rows.length - 1)).toFixed(1) : '-'}`);
console.log(`Most: ${name ? name + ' ' + peak : '-'}`);
console.log(`Cost: ${cost.toFixed(2)}`);
