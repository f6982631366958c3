const [first, ...rest] = require('fs').readFileSync(0, 'utf8').split('\n');
const limit = parseInt(first.slice('alarm '.length));

class Station {
    constructor(name) {
        this.name = name;
        this.values = [];
        this.alarmTime = undefined;
    }
    measure(time, value) {
        this.values.push(value);
        if (value > limit && this.alarmTime === undefined) this.alarmTime = time;
    }
    get max() { return this.values.reduce((a, b) => Math.max(a, b)); }
    get min() { return this.values.reduce((a, b) => Math.min(a, b)); }
    get mean() { return this.values.reduce((a, b) => a + b) / this.values.length; }
    get trend() {
        const [start, end] = [this.values[0], this.values[this.values.length - 1]];
        return end > start ? 'rising' : end < start ? 'falling' : 'steady';
    }
    print() {
        console.log(`${this.name} (${this.values.length}): ${this.min} to ${this.max}, mean ${this.mean.toFixed(1)}, ${this.trend}`);
    }
}

const stations = new Map();
let skipped = 0;
for (const line of rest) {
    if (line.startsWith('#') || line.trim() === '') continue;
    const found = /^(\S+) (\S+) (-?\d+)$/.exec(line);
    if (found === null) {
        skipped++;
        continue;
    }
    const [, name, time, value] = found;
    if (!stations.has(name)) stations.set(name, new Station(name));
    stations.get(name).measure(time, parseInt(value));
}

const list = [...stations.values()].sort((a, b) => a.name.localeCompare(b.name));
if (list.length === 0) {
    console.log('No levels');
} else {
    list.forEach(s => s.print());
    const alarms = list.filter(s => s.alarmTime !== undefined);
    if (alarms.length === 0) console.log('Alarm: none');
    alarms.forEach(s => console.log(`Alarm: ${s.name} ${s.alarmTime}`));
    const top = list.reduce((a, b) => b.max > a.max ? b : a);
    console.log(`Highest: ${top.name} ${top.max}`);
}
console.log(`Skipped: ${skipped}`);
