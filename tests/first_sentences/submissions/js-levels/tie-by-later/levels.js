const lines = require("fs").readFileSync(0, "utf8").split("\n");

/** One river with its levels. */
class River {
    levels = [];

    constructor(name) {
        this.name = name;
    }

    addLevel(time, value) {
        this.levels.push({ time, value });
    }

    highest() {
        let result = this.levels[0].value;
        for (const { value } of this.levels) if (value > result) result = value;
        return result;
    }

    lowest() {
        let result = this.levels[0].value;
        for (const { value } of this.levels) if (value < result) result = value;
        return result;
    }

    mean() {
        return this.levels.reduce((sum, { value }) => sum + value, 0) / this.levels.length;
    }

    tendency() {
        const change = this.levels[this.levels.length - 1].value - this.levels[0].value;
        if (change === 0) return "steady";
        return change > 0 ? "rising" : "falling";
    }
}

const rivers = [];
let alarm = Infinity;
let skipped = 0;

for (const line of lines) {
    if (line === "" || line.startsWith("#")) continue;
    const words = line.split(" ");
    if (words[0] === "alarm" && words.length === 2) {
        alarm = Number(words[1]);
        continue;
    }
    if (words.length !== 3 || Number.isNaN(Number(words[2]))) {
        skipped++;
        continue;
    }
    let river = rivers.find((r) => r.name === words[0]);
    if (!river) {
        river = new River(words[0]);
        rivers.push(river);
    }
    river.addLevel(words[1], Number(words[2]));
}

rivers.sort((a, b) => (a.name > b.name ? 1 : -1));

if (rivers.length === 0) {
    console.log("No levels");
} else {
    let highestRiver = rivers[0];
    let alarms = 0;
    for (const r of rivers) {
        console.log(`${r.name} (${r.levels.length}): ${r.lowest()} to ${r.highest()}, mean ${r.mean().toFixed(1)}, ${r.tendency()}`);
        if (r.highest() >= highestRiver.highest()) {
            highestRiver = r;
        }
    }
    for (const r of rivers) {
        const first = r.levels.find((l) => l.value >= alarm);
        if (first) {
            alarms++;
            console.log(`Alarm: ${r.name} ${first.time}`);
        }
    }
    if (alarms === 0) console.log("Alarm: none");
    console.log(`Highest: ${highestRiver.name} ${highestRiver.highest()}`);
}
console.log(`Skipped: ${skipped}`);
