const fs = require('fs');
const lines = fs.readFileSync(0, 'utf8').split('\n');
let alarm = 0;
let skipped = 0;
const rivers = {};

for (const line of lines) {
    if (line === '' || line.startsWith('#')) continue;
    const teile = line.split(' ');
    if (teile[0] === 'alarm') {
        alarm = Number(teile[1]);
        continue;
    }
    if (teile.length !== 3 || isNaN(teile[2])) {
        skipped++;
        continue;
    }
    const fluss = teile[0];
    const pegel = Number(teile[2]);
    if (!(fluss in rivers)) {
        rivers[fluss] = { pegel: [], alarm: null };
    }
    rivers[fluss].pegel.push(pegel);
    if (pegel => alarm && rivers[fluss].alarm === null) {
        rivers[fluss].alarm = teile[1];
    }
}

const namen = Object.keys(rivers).sort();
if (namen.length === 0) {
    console.log('No levels');
} else {
    let bester = namen[0];
    for (const n of namen) {
        const p = rivers[n].pegel;
        const summe = p.reduce((s, x) => s + x, 0);
        let trend = 'steady';
        if (p[p.length - 1] > p[0]) trend = 'rising';
        if (p[p.length - 1] < p[0]) trend = 'falling';
        console.log(`${n} (${p.length}): ${Math.min(...p)} to ${Math.max(...p)}, mean ${(summe / p.length).toFixed(1)}, ${trend}`);
        if (Math.max(...p) > Math.max(...rivers[bester].pegel)) bester = n;
    }
    const mitAlarm = namen.filter(n => rivers[n].alarm !== null);
    if (mitAlarm.length === 0) console.log('Alarm: none');
    for (const n of mitAlarm) console.log(`Alarm: ${n} ${rivers[n].alarm}`);
    console.log(`Highest: ${bester} ${Math.max(...rivers[bester].pegel)}`);
}
console.log(`Skipped: ${skipped}`);
