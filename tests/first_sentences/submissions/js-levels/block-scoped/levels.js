const input = require("fs").readFileSync(0, "utf8").trim().split("\n");

const alarm = Number(input[0].split(" ")[1]);
const table = {};
let skipped = 0;

for (const line of input.slice(1)) {
  if (line.trim() === "" || line.startsWith("#")) continue;
  const [river, time, level] = line.split(" ");
  if (level === undefined || !/^-?\d+$/.test(level)) {
    skipped++;
    continue;
  }
  (table[river] = table[river] || []).push({ time, level: +level });
}

const rivers = Object.keys(table).sort();
if (rivers.length === 0) {
  console.log("No levels");
  console.log("Skipped:", skipped);
  process.exit(0);
}

let top = rivers[0];
const maxOf = (river) => Math.max(...table[river].map((e) => e.level));

for (const river of rivers) {
  const entries = table[river];
  const levels = entries.map((e) => e.level);
  const first = levels[0];
  const last = levels[levels.length - 1];
  if (last > first) {
    let trend = "rising";
  } else if (last < first) {
    let trend = "falling";
  } else {
    let trend = "steady";
  }
  const mean = levels.reduce((a, b) => a + b, 0) / levels.length;
  console.log(`${river} (${levels.length}): ${Math.min(...levels)} to ${Math.max(...levels)}, mean ${mean.toFixed(1)}, ${trend}`);
  if (maxOf(river) > maxOf(top)) top = river;
}

let found = false;
for (const river of rivers) {
  for (const entry of table[river]) {
    if (entry.level >= alarm) {
      console.log(`Alarm: ${river} ${entry.time}`);
      found = true;
      break;
    }
  }
}
if (!found) console.log("Alarm: none");
console.log(`Highest: ${top} ${maxOf(top)}`);
console.log("Skipped:", skipped);
