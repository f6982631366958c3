"use strict";
const { readFileSync } = require("fs");

function parse(text) {
  const result = { alarm: 0, skipped: 0, rivers: {} };
  for (const line of text.split(/\r?\n/)) {
    if (line === "" || line.startsWith("#")) continue;
    const fields = line.split(" ");
    if (fields[0] === "alarm") {
      result.alarm = parseInt(fields[1], 10);
    } else if (fields.length === 3 && /^-?[0-9]+$/.test(fields[2])) {
      const [name, time, level] = fields;
      result.rivers[name] ??= [];
      result.rivers[name].push({ time: time, level: parseInt(level, 10) });
    } else {
      result.skipped += 1;
    }
  }
  return result;
}

function average(list) {
  return list.reduce((a, b) => a + b, 0) / list.length;
}

function trendOf(list) {
  const first = list[0], last = list[list.length - 1];
  if (first === last) return "steady";
  return first < last ? "rising" : "falling";
}

function main() {
  const { alarm, skipped, rivers } = parse(readFileSync(0, "utf8"));
  const names = Object.keys(rivers).sort();
  if (names.length === 0) {
    console.log("No levels");
    console.log(`Skipped: ${skipped}`);
    return;
  }
  const maxima = {};
  for (const name of names) {
    const levels = rivers[name].map((r) => r.level);
    const min = Math.min(levels);
    const max = Math.max(levels);
    maxima[name] = max;
    console.log(`${name} (${levels.length}): ${min} to ${max}, mean ${average(levels).toFixed(1)}, ${trendOf(levels)}`);
  }
  let alarms = 0;
  for (const name of names) {
    const first = rivers[name].find((r) => r.level >= alarm);
    if (first) {
      alarms++;
      console.log(`Alarm: ${name} ${first.time}`);
    }
  }
  if (alarms === 0) console.log("Alarm: none");
  let highest = names[0];
  for (const name of names) {
    if (maxima[name] > maxima[highest]) highest = name;
  }
  console.log(`Highest: ${highest} ${maxima[highest]}`);
  console.log(`Skipped: ${skipped}`);
}

main();
