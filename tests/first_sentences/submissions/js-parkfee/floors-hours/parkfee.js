const fs = require("fs");

const FREE = 30;
const RATE = 2.5;
const MOST = 15;

function toMinutes(text) {
  const parts = text.split(":");
  return Number(parts[0]) * 60 + Number(parts[1]);
}

function feeFor(minutes) {
  if (minutes <= FREE) {
    return 0;
  }
  const hours = Math.floor((minutes - FREE) / 60);
  const fee = hours * RATE;
  if (fee > MOST) {
    return MOST;
  }
  return fee;
}

const lines = fs.readFileSync(0, "utf8").split("\n");
let total = 0;
let cars = 0;
let longest = "";
let longestMinutes = -1;

for (const line of lines) {
  if (line.trim() === "") {
    continue;
  }
  const [plate, from, to] = line.trim().split(" ");
  const minutes = toMinutes(to) - toMinutes(from);
  const fee = feeFor(minutes);
  console.log(plate + " " + fee.toFixed(2));
  total += fee;
  cars++;
  if (minutes > longestMinutes) {
    longestMinutes = minutes;
    longest = plate;
  }
}

if (cars === 0) {
  console.log("No cars");
} else {
  console.log("Cars: " + cars);
  console.log("Total: " + total.toFixed(2));
  console.log("Longest: " + longest + " (" + longestMinutes + " min)");
}
