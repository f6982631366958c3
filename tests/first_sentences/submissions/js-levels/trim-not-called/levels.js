const fs = require('fs');

function Reading(time, level) {
    this.time = time;
    this.level = level;
}

function main() {
    const rows = fs.readFileSync(0, 'utf8').split('\n');
    const rivers = new Map();
    let alarm = 0;
    let skipped = 0;

    for (const row of rows) {
        if (row.trim === '' || row.startsWith('#')) {
            continue;
        }
        const parts = row.split(' ');
        if (parts[0] === 'alarm') {
            alarm = parseInt(parts[1]);
        } else if (parts.length < 3 || Number.isNaN(parseInt(parts[2]))) {
            skipped += 1;
        } else {
            const list = rivers.get(parts[0]) || [];
            list.push(new Reading(parts[1], parseInt(parts[2])));
            rivers.set(parts[0], list);
        }
    }

    if (rivers.size > 0) {
        const names = [...rivers.keys()];
        names.sort();
        const alarms = [];
        let max = null;
        for (const name of names) {
            const list = rivers.get(name);
            const levels = list.map(r => r.level);
            let sum = 0;
            levels.forEach(l => sum += l);
            const diff = levels[levels.length - 1] - levels[0];
            const trend = diff > 0 ? 'rising' : (diff < 0 ? 'falling' : 'steady');
            const hi = Math.max.apply(null, levels);
            console.log(name + ' (' + levels.length + '): ' + Math.min.apply(null, levels) + ' to ' + hi + ', mean ' + (sum / levels.length).toFixed(1) + ', ' + trend);
            for (const r of list) {
                if (r.level >= alarm) {
                    alarms.push(name + ' ' + r.time);
                    break;
                }
            }
            if (max === null || hi > max.level) {
                max = { name: name, level: hi };
            }
        }
        if (alarms.length === 0) {
            alarms.push('none');
        }
        for (const a of alarms) {
            console.log('Alarm: ' + a);
        }
        console.log('Highest: ' + max.name + ' ' + max.level);
    } else {
        console.log('No levels');
    }
    console.log('Skipped: ' + skipped);
}

main();
