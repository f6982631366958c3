const fs = require("fs");

const lines = fs.readFileSync(0, "utf8").split("\n").filter((line) => line !== "");
const waiting = [];
let served = 0;
let turnedAway = 0;
let longest = 0;

for (const line of lines) {
  const words = line.split(" ");
  if (words[0] === "come") {
    if (waiting.length > 3) {
      turnedAway += 1;
      console.log(`${words[1]} goes away`);
    } else {
      waiting.push({ name: words[1], since: Number(words[2]) });
    }
  } else if (words[0] === "next") {
    if (waiting.length === 0) {
      console.log("nobody waits");
    } else {
      const first = waiting.shift();
      const time = Number(words[1]) - first.since;
      served += 1;
      longest = Math.max(longest, time);
      console.log(`${first.name} after ${time} min`);
    }
  } else {
    console.log(`unknown: ${line}`);
  }
}
console.log(`Served: ${served}`);
console.log(`Turned away: ${turnedAway}`);
console.log(`Longest: ${longest}`);
console.log(`Still waiting: ${waiting.map((one) => one.name).join(", ") || "nobody"}`);
