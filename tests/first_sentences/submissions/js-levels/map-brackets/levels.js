const fs = require("fs");

let text = fs.readFileSync(0, "utf8");
let allLines = text.split("\n");
let alarm = Number(allLines[0].split(" ")[1]);
let skipped = 0;
const levels = new Map();   // river -> list of [time, level]

for (let i = 1; i < allLines.length; i++) {
    const line = allLines[i];
    if (line.length == 0) continue;
    if (line[0] == "#") continue;
    const p = line.split(" ");
    const level = Number(p[2]);
    if (p.length != 3 || isNaN(level)) {
        skipped = skipped + 1;
        continue;
    }
    if (!levels[p[0]]) {
        levels[p[0]] = [];
    }
    levels[p[0]].push([p[1], level]);
}

if (levels.size == 0) {
    console.log("No levels");
    console.log("Skipped: " + skipped);
} else {
    const rivers = Array.from(levels.keys()).sort();
    let alarmText = "";
    let highRiver = "";
    let highLevel = -100000;
    rivers.forEach(function (river) {
        const list = levels.get(river);
        let lo = list[0][1];
        let hi = list[0][1];
        let total = 0;
        for (const [time, level] of list) {
            lo = Math.min(lo, level);
            hi = Math.max(hi, level);
            total += level;
        }
        const firstAlarm = list.find(function (e) { return e[1] >= alarm; });
        if (firstAlarm !== undefined) {
            alarmText += "Alarm: " + river + " " + firstAlarm[0] + "\n";
        }
        if (hi > highLevel) {
            highLevel = hi;
            highRiver = river;
        }
        const change = list[list.length - 1][1] - list[0][1];
        let word = "steady";
        if (change > 0) word = "rising";
        else if (change < 0) word = "falling";
        console.log(river + " (" + list.length + "): " + lo + " to " + hi + ", mean " + (total / list.length).toFixed(1) + ", " + word);
    });
    if (alarmText == "") alarmText = "Alarm: none\n";
    process.stdout.write(alarmText);
    console.log("Highest: " + highRiver + " " + highLevel);
    console.log("Skipped: " + skipped);
}
