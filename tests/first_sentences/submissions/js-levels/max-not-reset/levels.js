const fs = require('fs');
const lines = fs.readFileSync(0, 'utf8').split('\n').filter(l => l.trim() !== '' && !l.startsWith('#'));

const all = {};
let alarm = 0;
let skipped = 0;
for (const l of lines) {
    const teile = l.split(' ');
    if (teile[0] === 'alarm') {
        alarm = parseInt(teile[1]);
    } else if (teile.length === 3 && !isNaN(parseInt(teile[2]))) {
        if (!all[teile[0]]) all[teile[0]] = [];
        all[teile[0]].push([teile[1], parseInt(teile[2])]);
    } else {
        skipped++;
    }
}

const names = Object.keys(all).sort();
if (names.length === 0) {
    console.log('No levels');
    console.log('Skipped: ' + skipped);
    process.exit();
}

let max = -Infinity;
let min = Infinity;
let topName = names[0];
let topLevel = -Infinity;
let alarmLines = '';
for (const name of names) {
    let sum = 0;
    let reached = false;
    for (const [time, level] of all[name]) {
        if (level > max) max = level;
        if (level < min) min = level;
        if (level >= alarm && !reached) {
            reached = true;
            alarmLines += 'Alarm: ' + name + ' ' + time + '\n';
        }
        if (level > topLevel) {
            topLevel = level;
            topName = name;
        }
        sum += level;
    }
    const n = all[name].length;
    const start = all[name][0][1];
    const end = all[name][n - 1][1];
    console.log(name + ' (' + n + '): ' + min + ' to ' + max + ', mean ' + (sum / n).toFixed(1) + ', ' +
        (end > start ? 'rising' : end < start ? 'falling' : 'steady'));
}
console.log(alarmLines === '' ? 'Alarm: none' : alarmLines.trim());
console.log('Highest: ' + topName + ' ' + topLevel);
console.log('Skipped: ' + skipped);
