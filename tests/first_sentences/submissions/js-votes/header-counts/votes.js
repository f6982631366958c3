const fs = require("fs");

const lines = fs.readFileSync(0, "utf8").split("\n");
const votes = {};
for (const line of lines) {
  if (line.trim() === "") {
    continue;
  }
  const [voter, candidate] = line.split(",").map((part) => part.trim());
  votes[voter] = candidate;
}

const counts = {};
let total = 0;
for (const candidate of Object.values(votes)) {
  counts[candidate] = (counts[candidate] || 0) + 1;
  total += 1;
}

if (total === 0) {
  console.log("No votes");
  process.exit(0);
}

const ranked = Object.keys(counts).sort((a, b) => counts[b] - counts[a] || (a < b ? -1 : 1));
const top = process.argv[2] === "--top" ? Number(process.argv[3]) : ranked.length;
for (const name of ranked.slice(0, top)) {
  const share = (100 * counts[name]) / total;
  console.log(`${name} ${counts[name]} (${share.toFixed(1)}%)`);
}

const best = ranked.filter((name) => counts[name] === counts[ranked[0]]);
if (best.length === 1) {
  console.log("Winner: " + best[0]);
} else {
  console.log("Tie: " + best.join(", "));
}
