const fs = require("fs");

const lines = fs.readFileSync(0, "utf8").split("\n");
const hours = new Map();
let total = 0;
for (const line of lines) {
  if (line.trim() === "") continue;
  const [name, start, end] = line.split(",");
  let worked = Number(end) - Number(start);
  hours.set(name, (hours.get(name) || 0) + worked);
  total += worked;
}
if (hours.size === 0) {
  console.log("No work");
} else {
  const names = [...hours.keys()];
  names.sort((a, b) => hours.get(b) - hours.get(a) || (a < b ? -1 : 1));
  for (const name of names) {
    console.log(`${name}: ${hours.get(name).toFixed(1)} h`);
  }
  console.log(`Total: ${total.toFixed(1)} h`);
}
