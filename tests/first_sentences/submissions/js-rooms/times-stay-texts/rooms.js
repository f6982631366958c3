const text = require('fs').readFileSync(0, 'utf8').trim();
const lines = text === '' ? [] : text.split('\n');

const rooms = {};
let refused = 0;

function minutes(clock) {
  const [hour, minute] = clock.split(':');
  return hour * 60 + minute;
}

function isFree(room, from, to) {
  for (const one of rooms[room] || []) {
    if (from < one.to && one.from < to) {
      return false;
    }
  }
  return true;
}

for (const line of lines) {
  const [room, from, to, name] = line.split(' ');
  const start = minutes(from);
  const end = minutes(to);
  if (start >= end || !isFree(room, start, end)) {
    console.log(`No: ${name}`);
    refused += 1;
    continue;
  }
  if (!rooms[room]) {
    rooms[room] = [];
  }
  rooms[room].push({ from: start, to: end, name });
}
const names = Object.keys(rooms).sort();
let most = null;
for (const room of names) {
  const used = rooms[room].reduce((sum, one) => sum + one.to - one.from, 0);
  console.log(`${room}: ${rooms[room].length} (${used} min)`);
  if (most === null || used > most.used) {
    most = { room, used };
  }
}
console.log(`Refused: ${refused}`);
if (most) {
  console.log(`Busiest: ${most.room}`);
}
