const fs = require("fs");
const lines = fs.readFileSync(0, "utf8").split("\n");

let alarm = 0;
let skipped = 0;
const data = {};

for (const line of lines) {
  if (line.trim() === "" || line.startsWith("#")) {
    continue;
  }
  const parts = line.split(" ");
  if (parts[0] === "alarm") {
    alarm = Number(parts[1]);
  } else if (parts.length === 3 && !isNaN(parts[2])) {
    if (!data[parts[0]]) {
      data[parts[0]] = [];
    }
    data[parts[0]].push({ time: parts[1], level: Number(parts[2]) });
  } else {
    skipped++;
  }
}

const rivers = Object.keys(data).sort();
if (rivers.length > 0) {
  const alarms = [];
  let topRiver = "";
  let topLevel = 0;
  for (const river of rivers) {
    let lowest = 0;
    let highest = data[river][0].level;
    let sum = 0;
    let alarmTime = "";
    for (const { time, level } of data[river]) {
      if (level < lowest) lowest = level;
      if (level > highest) highest = level;
      if (level >= alarm && alarmTime === "") alarmTime = time;
      sum += level;
    }
    const count = data[river].length;
    const first = data[river][0].level;
    const last = data[river][count - 1].level;
    let trend = "steady";
    if (last > first) trend = "rising";
    if (last < first) trend = "falling";
    console.log(`${river} (${count}): ${lowest} to ${highest}, mean ${(sum / count).toFixed(1)}, ${trend}`);
    if (alarmTime !== "") alarms.push(`Alarm: ${river} ${alarmTime}`);
    if (topRiver === "" || highest > topLevel) {
      topRiver = river;
      topLevel = highest;
    }
  }
  if (alarms.length === 0) alarms.push("Alarm: none");
  console.log(alarms.join("\n"));
  console.log(`Highest: ${topRiver} ${topLevel}`);
} else {
  console.log("No levels");
}
console.log(`Skipped: ${skipped}`);
