const rl = require('readline').createInterface({ input: process.stdin });
const levels = {};
const alarms = {};
let alarm = 0;
let skipped = 0;

rl.on('line', line => {
    if (line.startsWith('#') || line === '') return;
    const p = line.split(' ');
    if (p[0] === 'alarm') {
        alarm = Number(p[1]);
        return;
    }
    if (p.length !== 3 || isNaN(p[2])) {
        skipped++;
        return;
    }
    const name = p[0];
    const level = Number(p[2]);
    if (!levels[name]) levels[name] = [];
    levels[name].push(level);
    if (level >= alarm) {
        alarms[name] = p[1];
    }
});

rl.on('close', () => {
    const names = Object.keys(levels).sort();
    if (names.length === 0) {
        console.log('No levels');
        console.log('Skipped: ' + skipped);
        return;
    }
    let bestName = null;
    let best = 0;
    for (const name of names) {
        const l = levels[name];
        let sum = 0, min = l[0], max = l[0];
        for (const x of l) {
            sum += x;
            if (x < min) min = x;
            if (x > max) max = x;
        }
        let trend = 'steady';
        if (l[l.length - 1] > l[0]) trend = 'rising';
        if (l[l.length - 1] < l[0]) trend = 'falling';
        console.log(name + ' (' + l.length + '): ' + min + ' to ' + max + ', mean ' + (sum / l.length).toFixed(1) + ', ' + trend);
        if (bestName === null || max > best) {
            bestName = name;
            best = max;
        }
    }
    if (Object.keys(alarms).length === 0) {
        console.log('Alarm: none');
    }
    for (const name of Object.keys(alarms).sort()) {
        console.log('Alarm: ' + name + ' ' + alarms[name]);
    }
    console.log('Highest: ' + bestName + ' ' + best);
    console.log('Skipped: ' + skipped);
});
