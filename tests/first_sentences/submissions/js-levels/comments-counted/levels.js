const fs = require('fs');

const text = fs.readFileSync(0, 'utf8');
const lines = text.split('\n');
if (lines[lines.length - 1] === '') lines.pop();

const alarm = Number(lines[0].split(' ')[1]);
const rivers = {};
let skipped = 0;

for (let i = 1; i < lines.length; i++) {
  const match = lines[i].match(/^(\w+) (\d\d:\d\d) (-?\d+)$/);
  if (match) {
    const river = match[1];
    rivers[river] = rivers[river] || [];
    rivers[river].push({ time: match[2], level: Number(match[3]) });
  } else {
    skipped++;
  }
}

const names = Object.keys(rivers);
names.sort();

function min(list) {
  let m = list[0].level;
  for (const e of list) {
    if (e.level < m) m = e.level;
  }
  return m;
}

function max(list) {
  let m = list[0].level;
  for (const e of list) {
    if (e.level > m) m = e.level;
  }
  return m;
}

function mean(list) {
  let sum = 0;
  for (const e of list) {
    sum += e.level;
  }
  return sum / list.length;
}

if (names.length === 0) {
  console.log('No levels');
} else {
  for (const name of names) {
    const list = rivers[name];
    const first = list[0].level;
    const last = list[list.length - 1].level;
    const trend = last === first ? 'steady' : last > first ? 'rising' : 'falling';
    console.log(`${name} (${list.length}): ${min(list)} to ${max(list)}, mean ${mean(list).toFixed(1)}, ${trend}`);
  }
  let anyAlarm = false;
  for (const name of names) {
    for (const e of rivers[name]) {
      if (e.level >= alarm) {
        console.log(`Alarm: ${name} ${e.time}`);
        anyAlarm = true;
        break;
      }
    }
  }
  if (!anyAlarm) console.log('Alarm: none');
  let top = names[0];
  for (const name of names) {
    if (max(rivers[name]) > max(rivers[top])) top = name;
  }
  console.log(`Highest: ${top} ${max(rivers[top])}`);
}
console.log(`Skipped: ${skipped}`);
