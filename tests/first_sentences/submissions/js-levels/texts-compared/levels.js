const fs = require('fs');
const lines = fs.readFileSync(0, 'utf-8').split('\n');

let alarm;
let skipped = 0;
let rivers = {};

for (let i = 0; i < lines.length; i++) {
    let line = lines[i].trim();
    if (line == '' || line.startsWith('#')) {
        continue;
    }
    let parts = line.split(' ');
    if (parts[0] == 'alarm') {
        alarm = parts[1];
    } else if (parts.length != 3 || isNaN(parts[2])) {
        skipped++;
    } else {
        let river = parts[0];
        let level = parts[2];
        if (rivers[river] == undefined) {
            rivers[river] = { count: 0, sum: 0, min: level, max: level, first: level, last: level, alarmAt: '' };
        }
        let r = rivers[river];
        r.count++;
        r.sum += Number(level);
        if (level < r.min) r.min = level;
        if (level > r.max) r.max = level;
        r.last = level;
        if (level >= alarm && r.alarmAt == '') r.alarmAt = parts[1];
    }
}

let names = Object.keys(rivers).sort();
if (names.length == 0) {
    console.log('No levels');
} else {
    let highest = names[0];
    let alarms = [];
    for (let name of names) {
        let r = rivers[name];
        let trend = 'steady';
        if (r.last > r.first) trend = 'rising';
        if (r.last < r.first) trend = 'falling';
        console.log(name + ' (' + r.count + '): ' + r.min + ' to ' + r.max + ', mean ' + (r.sum / r.count).toFixed(1) + ', ' + trend);
        if (r.alarmAt != '') alarms.push('Alarm: ' + name + ' ' + r.alarmAt);
        if (r.max > rivers[highest].max) highest = name;
    }
    if (alarms.length == 0) alarms.push('Alarm: none');
    console.log(alarms.join('\n'));
    console.log('Highest: ' + highest + ' ' + rivers[highest].max);
}
console.log('Skipped: ' + skipped);
