function score(rolls) {
  let total = 0;
  let place = 0;
  for (let frame = 0; frame < 10; frame++) {
    if (rolls[place] === 10) {
      total += 10 + rolls[place + 1] + rolls[place + 2];
      place += 1;
    } else if (rolls[place] + rolls[place + 1] === 10) {
      total += 10 + rolls[place + 2];
      place += 2;
    } else {
      total += rolls[place] + rolls[place + 1];
      place += 2;
    }
  }
  return total;
}

function longestStrikes(rolls) {
  let longest = 0;
  let current = 0;
  for (const roll of rolls) {
    if (roll === 10) {
      current++;
      if (current > longest) {
        longest = current;
      }
    } else {
      current = 0;
    }
  }
  return longest;
}

function summary(names, scores) {
  const players = names.map((name, index) => ({ name: name, score: scores[index] }));
  players.sort((a, b) => String(b.score) > String(a.score) ? 1 : String(b.score) < String(a.score) ? -1 : a.name.localeCompare(b.name));
  const result = [];
  for (let i = 0; i < players.length; i++) {
    result.push(`${i + 1}. ${players[i].name} ${players[i].score}`);
  }
  return result;
}

module.exports = { score, longestStrikes, summary };
