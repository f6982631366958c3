const fs = require('fs');

// read everything
const input = fs.readFileSync(0, 'utf8').split('\n');
const stations = {};
let alarm, errors = 0;

for (let i = 0; i < input.length; i++) {
    const zeile = input[i];
    if (zeile === '' || zeile.startsWith('#')) continue;
    const w = zeile.split(' ');
    if (w[0] === 'alarm') { alarm = Number(w[1]); continue; }
    if (w.length !== 3 || isNaN(w[2])) { errors++; continue; }
    if (stations[w[0]] === undefined) stations[w[0]] = { levels: [], times: [] };
    stations[w[0]].levels.push(Number(w[2]));
    stations[w[0]].times.push(w[1]);
}

function trend(levels) {
    const now = levels[levels.length - 1];
    const before = levels.length > 1 ? levels[levels.length - 2] : now;
    if (now > before) {
        return 'rising';
    } else if (now < before) {
        return 'falling';
    } else {
        return 'steady';
    }
}

function mean(levels) {
    let s = 0;
    for (const l of levels) s += l;
    return (s / levels.length).toFixed(1);
}

const names = Object.keys(stations).sort();
if (names.length === 0) {
    console.log('No levels');
} else {
    let best = names[0];
    for (const name of names) {
        const l = stations[name].levels;
        console.log(`${name} (${l.length}): ${Math.min(...l)} to ${Math.max(...l)}, mean ${mean(l)}, ${trend(l)}`);
        if (Math.max(...l) > Math.max(...stations[best].levels)) best = name;
    }
    let none = true;
    for (const name of names) {
        const idx = stations[name].levels.findIndex(l => l >= alarm);
        if (idx !== -1) {
            console.log('Alarm: ' + name + ' ' + stations[name].times[idx]);
            none = false;
        }
    }
    if (none) console.log('Alarm: none');
    console.log('Highest: ' + best + ' ' + Math.max(...stations[best].levels));
}
console.log('Skipped: ' + errors);
