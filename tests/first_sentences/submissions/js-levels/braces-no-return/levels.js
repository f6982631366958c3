const lines = require('fs').readFileSync(0, 'utf8').split('\n').map(l => l.trim());

const alarmLine = lines.shift();
const alarm = parseInt(alarmLine.split(' ')[1]);

const isReading = line => /^\S+ \S+ -?\d+$/.test(line);
const relevant = lines.filter(line => line !== '' && !line.startsWith('#'));
const skipped = relevant.filter(line => !isReading(line)).length;

const readings = relevant.filter(isReading).map(line => {
    const [river, time, level] = line.split(' ');
    return { river, time, level: parseInt(level) };
});

const rivers = [...new Set(readings.map(r => r.river))].sort();

if (rivers.length === 0) {
    console.log('No levels');
} else {
    const summaries = rivers.map(river => {
        const mine = readings.filter(r => r.river === river);
        const levels = mine.map(r => { r.level });
        const sum = levels.reduce((a, b) => a + b, 0);
        return {
            river,
            count: levels.length,
            min: Math.min(...levels),
            max: Math.max(...levels),
            mean: sum / levels.length,
            change: levels[levels.length - 1] - levels[0],
            alarm: mine.find(r => r.level >= alarm)
        };
    });
    for (const s of summaries) {
        let word = s.change > 0 ? 'rising' : 'falling';
        if (s.change === 0) word = 'steady';
        console.log(`${s.river} (${s.count}): ${s.min} to ${s.max}, mean ${s.mean.toFixed(1)}, ${word}`);
    }
    const alarms = summaries.filter(s => s.alarm);
    if (alarms.length === 0) console.log('Alarm: none');
    alarms.forEach(s => console.log(`Alarm: ${s.river} ${s.alarm.time}`));
    const top = [...summaries].sort((a, b) => b.max - a.max)[0];
    console.log(`Highest: ${top.river} ${top.max}`);
}
console.log(`Skipped: ${skipped}`);
