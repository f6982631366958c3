const text = require("fs").readFileSync(0, "utf8");
const words = text.split(/\s+/).filter((word) => word !== "");
const counts = {};
for (const word of words) {
  const key = word.toLowerCase();
  counts[key] = (counts[key] || 0) + 1;
}
const top = Object.keys(counts)
  .sort((a, b) => counts[b] - counts[a] || (a < b ? -1 : 1))
  .slice(0, 4);
console.log(JSON.stringify({ words: words.length, different: Object.keys(counts).length, top }));
