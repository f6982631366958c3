var readline = require('readline');

var reader = readline.createInterface({ input: process.stdin });
var first = true;
var votes = new Map();

function addVote(line) {
    var parts = line.split(',');
    var voter = parts[0].trim();
    var candidate = parts[1].trim();
    votes.set(voter, candidate);
}

function count() {
    var result = [];
    votes.forEach(function (candidate) {
        var found = result.find(function (one) { return one.name === candidate; });
        if (found) {
            found.count++;
        } else {
            result.push({ name: candidate, count: 1 });
        }
    });
    return result;
}

function report() {
    var result = count();
    if (result.length === 0) {
        console.log('No votes');
        return;
    }
    result.sort(function (a, b) {
        if (a.count !== b.count) {
            return b.count - a.count;
        }
        return a.name.localeCompare(b.name);
    });
    var shown = result.length;
    if (process.argv[2] === '--top') {
        shown = parseInt(process.argv[3]);
    }
    for (var i = 0; i <= shown; i++) {
        var percent = result[i].count / votes.size * 100;
        console.log(result[i].name + ' ' + result[i].count + ' (' + percent.toFixed(1) + '%)');
    }
    if (result.length > 1 && result[0].count === result[1].count) {
        var names = [];
        for (var k = 0; k < result.length && result[k].count === result[0].count; k++) {
            names.push(result[k].name);
        }
        console.log('Tie: ' + names.join(', '));
    } else {
        console.log('Winner: ' + result[0].name);
    }
}

reader.on('line', function (line) {
    if (first) {
        first = false;
    } else if (line.trim() !== '') {
        addVote(line);
    }
});
reader.on('close', report);
