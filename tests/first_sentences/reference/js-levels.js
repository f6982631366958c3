const fs = require("fs");

const rivers = new Map();
let alarm = Infinity;
let skipped = 0;
for (const line of fs.readFileSync(0, "utf8").split("\n")) {
  const words = line.trim().split(/\s+/);
  if (line.trim() === "" || line.startsWith("#")) continue;
  if (words[0] === "alarm") {
    alarm = Number(words[1]);
  } else if (words.length !== 3 || !/^-?\d+$/.test(words[2])) {
    skipped += 1;
  } else {
    if (!rivers.has(words[0])) rivers.set(words[0], []);
    rivers.get(words[0]).push({ time: words[1], level: Number(words[2]) });
  }
}
const names = [...rivers.keys()].sort();
const highest = (name) => Math.max(...rivers.get(name).map((one) => one.level));
for (const name of names) {
  const levels = rivers.get(name).map((one) => one.level);
  const mean = levels.reduce((sum, level) => sum + level, 0) / levels.length;
  const change = levels[levels.length - 1] - levels[0];
  const trend = change > 0 ? "rising" : change < 0 ? "falling" : "steady";
  console.log(`${name} (${levels.length}): ${Math.min(...levels)} to ${highest(name)}, mean ${mean.toFixed(1)}, ${trend}`);
}
if (names.length === 0) {
  console.log("No levels");
} else {
  const alarms = names.filter((name) => highest(name) >= alarm);
  for (const name of alarms) {
    console.log(`Alarm: ${name} ${rivers.get(name).find((one) => one.level >= alarm).time}`);
  }
  if (alarms.length === 0) console.log("Alarm: none");
  const top = names.reduce((best, name) => (highest(name) > highest(best) ? name : best));
  console.log(`Highest: ${top} ${highest(top)}`);
}
console.log(`Skipped: ${skipped}`);
