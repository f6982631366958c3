const lines = require('fs').readFileSync(0, 'utf8').split('\n').map(line => line.trim()).filter(line => line !== '');
const readings = lines.map(line => {
  const [month, reading] = line.split(/\s+/);
  return { month, reading: Number(reading) };
});
let total = 0;
let cost = 0;
let most = null;
for (let i = 1; i < readings.length; i++) {
  const used = readings[i].reading - readings[i - 1].reading;
  console.log(`${readings[i].month}: ${used}${used > 20 ? ' !' : ''}`);
  total += used;
  cost += 4 + Math.min(used, 20) * 1.5 + Math.max(used - 20, 0) * 2.25;
  if (most === null || used > most.used) most = { month: readings[i].month, used };
}
const months = Math.max(readings.length - 1, 0);
console.log(`Total: ${total}`);
console.log(`Mean: ${months > 0 ? (total / months).toFixed(1) : '-'}`);
console.log(`Most: ${most ? `${most.month} ${most.used}` : '-'}`);
console.log(`Cost: ${cost.toFixed(2)}`);
