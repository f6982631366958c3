const fs = require("fs");

const lines = fs.readFileSync(0, "utf8").trim().split("\n");
const players = {};
let games = 0;
let draws = 0;

function player(name) {
  if (!(name in players)) {
    players[name] = { name: name, points: 0, games: 0, wins: 0, blackWins: 0 };
  }
  return players[name];
}

for (const line of lines) {
  if (line === "") continue;
  const [whiteName, blackName, result] = line.split(" ");
  const white = player(whiteName);
  const black = player(blackName);
  games++;
  white.games++;
  black.games++;
  if (result === "1-0") {
    white.points += 1;
    white.wins++;
  } else if (result === "0-1") {
    black.points += 1;
    black.wins++;
    black.blackWins++;
  } else {
    white.points += 0.5;
    black.points += 0.5;
    draws++;
  }
}

const table = Object.values(players);
table.sort((a, b) => b.points - a.points || b.wins - a.wins || a.name.localeCompare(b.name));

let rank = 0;
for (let i = 0; i < table.length; i++) {
  const one = table[i];
  rank = i + 1;
  console.log(`${rank}. ${one.name} ${one.points.toFixed(1)} (${one.games} games, ${one.wins} wins)`);
}
console.log("Games: " + games);
const share = games > 0 ? (100 * draws) / games : 0;
console.log(`Draws: ${draws} (${share.toFixed(1)} %)`);
let best = null;
for (const one of table) {
  if (one.blackWins > 0 && (best === null || one.blackWins > best.blackWins)) best = one;
}
console.log("Best with black: " + (best ? best.name : "nobody"));
