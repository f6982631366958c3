const fs = require("fs");

const lines = fs.readFileSync(0, "utf8").split("\n").filter((line) => line !== "");
const jumpers = [];
for (const line of lines) {
  const parts = line.split(" ");
  const distance = Number(parts[1]);
  const marks = parts.slice(2).map(Number);
  marks.sort((a, b) => a - b);
  let points = 60 + 2 * (distance - 90);
  for (let i = 1; i < 4; i++) {
    points += marks[i];
  }
  if (points < 0) {
    points = 0;
  }
  jumpers.push({ name: parts[0], points: points });
}

const ranking = jumpers.sort((a, b) => b.points - a.points);

for (const jumper of jumpers) {
  console.log(`${jumper.name}: ${jumper.points.toFixed(1)}`);
}

let rank = 1;
for (let i = 0; i < ranking.length; i++) {
  if (i > 0 && ranking[i].points !== ranking[i - 1].points) {
    rank = i + 1;
  }
  console.log(`${rank}. ${ranking[i].name}`);
}
if (ranking.length > 1) {
  const margin = ranking[0].points - ranking[1].points;
  console.log(`Margin: ${margin.toFixed(1)}`);
}
