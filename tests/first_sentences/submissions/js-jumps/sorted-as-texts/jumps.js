const fs = require("fs");

const lines = fs.readFileSync(0, "utf8").split("\n").filter((line) => line !== "");
const jumpers = [];
for (const line of lines) {
  const parts = line.split(" ");
  const distance = Number(parts[1]);
  const marks = parts.slice(2).map(Number);
  marks.sort();
  let points = 60 + 2 * (distance - 90);
  for (let i = 1; i < 4; i++) {
    points += marks[i];
  }
  if (points < 0) {
    points = 0;
  }
  jumpers.push({ name: parts[0], points: points });
}

for (const jumper of jumpers) {
  console.log(`${jumper.name}: ${jumper.points.toFixed(1)}`);
}

jumpers.sort((a, b) => b.points - a.points);
let rank = 1;
for (let i = 0; i < jumpers.length; i++) {
  if (i > 0 && jumpers[i].points !== jumpers[i - 1].points) {
    rank = i + 1;
  }
  console.log(`${rank}. ${jumpers[i].name}`);
}
if (jumpers.length > 1) {
  const margin = jumpers[0].points - jumpers[1].points;
  console.log(`Margin: ${margin.toFixed(1)}`);
}
