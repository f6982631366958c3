const input = require("fs").readFileSync(0).toString();

class River {
  constructor(name) {
    this.name = name;
    this.levels = [];
    this.times = [];
  }

  add(time, level) {
    this.times.push(time);
    this.levels.push(level);
  }

  get highest() { return Math.max(...this.levels); }
  get lowest() { return Math.min(...this.levels); }

  mean() {
    let sum = 0;
    for (const level of this.levels) sum += level;
    return (sum / this.levels.length).toFixed(1);
  }

  trend() {
    const diff = this.levels.at(-1) - this.levels[0];
    if (diff === 0) return "steady";
    return diff > 0 ? "rising" : "falling";
  }

  toString() {
    return "${this.name} (${this.levels.length}): ${this.lowest} to ${this.highest}, mean ${this.mean()}, ${this.trend()}";
  }
}

const rivers = new Map();
let alarm = 0, skipped = 0;
for (const line of input.split("\n")) {
  if (!line || line.startsWith("#")) continue;
  const [name, time, text] = line.split(" ");
  if (name === "alarm") { alarm = +time; continue; }
  const level = Number(text);
  if (text === undefined || Number.isNaN(level)) { skipped++; continue; }
  if (!rivers.has(name)) rivers.set(name, new River(name));
  rivers.get(name).add(time, level);
}

const sorted = [...rivers.values()].sort((a, b) => a.name.localeCompare(b.name));
if (sorted.length > 0) {
  let top = sorted[0];
  let any = false;
  for (const river of sorted) console.log(river.toString());
  for (const river of sorted) {
    const i = river.levels.findIndex((l) => l >= alarm);
    if (i >= 0) {
      any = true;
      console.log(`Alarm: ${river.name} ${river.times[i]}`);
    }
    if (river.highest > top.highest) top = river;
  }
  if (!any) console.log("Alarm: none");
  console.log(`Highest: ${top.name} ${top.highest}`);
} else {
  console.log("No levels");
}
console.log(`Skipped: ${skipped}`);
