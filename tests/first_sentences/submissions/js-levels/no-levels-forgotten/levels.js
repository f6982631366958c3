const fs = require("fs");

function readRivers() {
  const rivers = {};
  let alarm = 0;
  let skipped = 0;
  for (const line of fs.readFileSync(0, "utf8").split("\n")) {
    const clean = line.trim();
    if (clean === "" || clean.startsWith("#")) continue;
    const parts = clean.split(" ");
    if (parts[0] === "alarm") {
      alarm = Number(parts[1]);
    } else if (parts.length === 3 && Number.isFinite(Number(parts[2]))) {
      const [name, time, level] = parts;
      if (!Object.hasOwn(rivers, name)) rivers[name] = [];
      rivers[name].push({ time, level: Number(level) });
    } else {
      skipped++;
    }
  }
  return { rivers, alarm, skipped };
}

function describe(name, entries) {
  const levels = entries.map(({ level }) => level);
  const sum = levels.reduce((x, y) => x + y, 0);
  const delta = levels.at(-1) - levels.at(0);
  const words = { "-1": "falling", 0: "steady", 1: "rising" };
  return `${name} (${levels.length}): ${Math.min(...levels)} to ${Math.max(...levels)}, ` +
    `mean ${(sum / levels.length).toFixed(1)}, ${words[Math.sign(delta)]}`;
}

const { rivers, alarm, skipped } = readRivers();
const names = Object.keys(rivers).sort();
for (const name of names) {
  console.log(describe(name, rivers[name]));
}

const alarms = [];
for (const name of names) {
  const entry = rivers[name].find(({ level }) => level >= alarm);
  if (entry) alarms.push(`Alarm: ${name} ${entry.time}`);
}
console.log(alarms.length > 0 ? alarms.join("\n") : "Alarm: none");

const highestOf = (name) => Math.max(...rivers[name].map(({ level }) => level));
let top = names[0];
for (const name of names) {
  if (highestOf(name) > highestOf(top)) top = name;
}
console.log(`Highest: ${top} ${highestOf(top)}`);
console.log(`Skipped: ${skipped}`);
