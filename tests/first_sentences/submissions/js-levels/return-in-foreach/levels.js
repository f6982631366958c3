var fs = require('fs');

function readAll() {
    var content = fs.readFileSync(0, 'utf8').split('\n');
    var res = { alarm: 0, bad: 0, stations: [] };
    content.forEach(function (l) {
        if (l == '' || l.startsWith('#')) { return; }
        var p = l.split(' ');
        if (p[0] == 'alarm') {
            res.alarm = Number(p[1]);
        } else if (p.length == 3 && !isNaN(Number(p[2]))) {
            var station = res.stations.find(function (s) { return s.name == p[0]; });
            if (!station) {
                station = { name: p[0], list: [] };
                res.stations.push(station);
            }
            station.list.push({ at: p[1], cm: Number(p[2]) });
        } else {
            res.bad++;
        }
    });
    return res;
}

function firstAlarm(list, alarm) {
    list.forEach(function (m) {
        if (m.cm >= alarm) {
            return m.at;
        }
    });
    return null;
}

var d = readAll();
d.stations.sort(function (a, b) { return a.name < b.name ? -1 : 1; });

if (d.stations.length == 0) {
    console.log('No levels');
} else {
    var top = null, topCm = 0;
    d.stations.forEach(function (s) {
        var min = s.list[0].cm, max = s.list[0].cm, total = 0;
        s.list.forEach(function (m) {
            if (m.cm < min) { min = m.cm; }
            if (m.cm > max) { max = m.cm; }
            total += m.cm;
        });
        var first = s.list[0].cm, last = s.list[s.list.length - 1].cm;
        var t = 'steady';
        if (last > first) { t = 'rising'; }
        if (last < first) { t = 'falling'; }
        console.log(s.name + ' (' + s.list.length + '): ' + min + ' to ' + max + ', mean ' + (total / s.list.length).toFixed(1) + ', ' + t);
        if (top == null || max > topCm) { top = s.name; topCm = max; }
    });
    var some = false;
    d.stations.forEach(function (s) {
        var at = firstAlarm(s.list, d.alarm);
        if (at != null) {
            some = true;
            console.log('Alarm: ' + s.name + ' ' + at);
        }
    });
    if (!some) { console.log('Alarm: none'); }
    console.log('Highest: ' + top + ' ' + topCm);
}
console.log('Skipped: ' + d.bad);
