const lines = require("fs").readFileSync(0, "utf8").split("\n").filter((line) => line.trim() !== "");

let aboard = 0;
let total = 0;
let most = 0;
let mostAt = "";
let quiet = 0;
let seconds = 0;
console.log("Stop       Off  On  Aboard");
for (const line of lines) {
  const [name, off, on, wait] = line.split(";");
  aboard -= Number(off);
  aboard += on;
  total += Number(on);
  seconds += Number(wait);
  if (Number(on) === 0 && Number(off) === 0) {
    quiet++;
  }
  if (aboard > most) {
    most = aboard;
    mostAt = name;
  }
  console.log(name.padEnd(10) + off.padStart(4) + on.padStart(4) + String(aboard).padStart(8));
}
console.log(`Passengers: ${total}`);
console.log(`Still aboard: ${aboard}`);
if (most > 0) {
  console.log(`Most: ${most} after ${mostAt}`);
}
console.log(`Quiet stops: ${quiet}`);
console.log(`Waited: ${Math.floor(seconds / 60)} min ${seconds % 60} s`);
