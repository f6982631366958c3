const fs = require('fs');
function main() {
  const data = fs.readFileSync(0, 'utf8').split(/\r?\n/).filter(l => l.trim() != '');
  let total = 0, cost = 0;
  let most = '-', peak = -1;
  for (let i = 1; i < data.length; i++) {
    const month = data[i].split(' ')[0];
    const used = parseInt(data[i].split(' ')[1]) - parseInt(data[i - 1].split(' ')[1]);
    let mark = '';
    if (used > 20) {
      mark = ' !';
      cost += 30 + (used - 20) * 2.25;
    } else {
      cost += used * 1.5;
    }
    cost += 4;
    total += used;
    if (used > peak) {
      peak = used;
      let most = month + ' ' + used;
    }
    console.log(month + ': ' + used + mark);
  }
  console.log('Total: ' + total);
  if (data.length > 1) console.log('Mean: ' + (total / (data.length - 1)).toFixed(1));
  else console.log('Mean: -');
  console.log('Most: ' + most);
  console.log('Cost: ' + cost.toFixed(2));
}
main();
