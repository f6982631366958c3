const readline = require('readline');

const rl = readline.createInterface({
    input: process.stdin,
    output: process.stdout,
    terminal: false
});

let threshold = 0;
let skipped = 0;
const rivers = {};

rl.on('line', function (line) {
    if (line.trim() === '' || line.startsWith('#')) return;
    const words = line.split(' ');
    if (words[0] === 'alarm') {
        threshold = Number(words[1]);
    } else if (words.length === 3 && Number.isInteger(Number(words[2]))) {
        if (!rivers[words[0]]) rivers[words[0]] = [];
        rivers[words[0]].push({ time: words[1], value: Number(words[2]) });
    } else {
        skipped++;
    }
});

const names = Object.keys(rivers).sort();

if (names.length === 0) {
    console.log('No levels');
} else {
    let highestName = names[0];
    let highestValue = -Infinity;
    const alarms = [];
    for (const name of names) {
        const values = rivers[name].map((r) => r.value);
        const min = Math.min(...values);
        const max = Math.max(...values);
        const mean = values.reduce((x, y) => x + y) / values.length;
        const trend = Math.sign(values[values.length - 1] - values[0]);
        console.log(`${name} (${values.length}): ${min} to ${max}, mean ${mean.toFixed(1)}, ${['falling', 'steady', 'rising'][trend + 1]}`);
        if (max > highestValue) {
            highestValue = max;
            highestName = name;
        }
        const reached = rivers[name].find((r) => r.value >= threshold);
        if (reached) alarms.push(`Alarm: ${name} ${reached.time}`);
    }
    console.log(alarms.length === 0 ? 'Alarm: none' : alarms.join('\n'));
    console.log(`Highest: ${highestName} ${highestValue}`);
}
console.log(`Skipped: ${skipped}`);
