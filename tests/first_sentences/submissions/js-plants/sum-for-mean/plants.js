const lines = require("fs").readFileSync(0, "utf8").split("\n").filter((line) => line.trim() !== "");

const counts = new Map();
const sums = new Map();
let tallest = null;
let over = 0;
for (const line of lines) {
  const [kind, height, day] = line.split(",");
  counts.set(kind, (counts.get(kind) || 0) + 1);
  sums.set(kind, (sums.get(kind) || 0) + Number(height));
  if (tallest === null || Number(height) > tallest.height) {
    tallest = { kind, height: Number(height), day };
  }
  if (Number(height) > 100) {
    over++;
  }
}
for (const kind of [...counts.keys()].sort()) {
  const mean = sums.get(kind);
  console.log(`${kind}: ${counts.get(kind)} plants, mean ${mean.toFixed(1)} cm`);
}
console.log(`Measured: ${lines.length}`);
console.log(`Over 1 m: ${over}`);
if (tallest !== null) {
  console.log(`Tallest: ${tallest.kind} (${tallest.height} cm, day ${tallest.day})`);
}
