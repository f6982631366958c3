const fs = require("fs");
const lines = fs.readFileSync(0, "utf8").split("\n");

let alarm = 0, count = 0, skipped = 0;
const rivers = new Map();

for (let line of lines) {
  line = line.trim();
  if (!line || line[0] === "#") continue;
  const [a, b, c, ...more] = line.split(/\s+/);
  if (a === "alarm") {
    alarm = Number(b);
  } else if (c === undefined || more.length > 0 || !Number.isInteger(Number(c))) {
    skipped++;
  } else {
    const level = Number(c);
    count++;
    let river = rivers.get(a);
    if (!river) {
      river = { n: 0, sum: 0, low: level, high: level, first: level, last: level, alarm: null };
      rivers.set(a, river);
    }
    river.n++;
    river.sum += level;
    river.low = Math.min(river.low, level);
    river.high = Math.max(river.high, level);
    river.last = level;
    if (river.alarm === null && level >= alarm) river.alarm = b;
  }
}

const names = [...rivers.keys()].sort();
let best;
for (const name of names) {
  const river = rivers.get(name);
  const mean = river.sum / count;
  let text = "steady";
  if (river.last > river.first) text = "rising";
  else if (river.last < river.first) text = "falling";
  console.log(`${name} (${river.n}): ${river.low} to ${river.high}, mean ${mean.toFixed(1)}, ${text}`);
  if (best === undefined || river.high > rivers.get(best).high) best = name;
}
if (best === undefined) {
  console.log("No levels");
} else {
  const alarmed = names.filter((name) => rivers.get(name).alarm);
  if (alarmed.length === 0) console.log("Alarm: none");
  for (const name of alarmed) console.log(`Alarm: ${name} ${rivers.get(name).alarm}`);
  console.log(`Highest: ${best} ${rivers.get(best).high}`);
}
console.log(`Skipped: ${skipped}`);
