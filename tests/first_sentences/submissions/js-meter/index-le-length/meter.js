class Meter {
  constructor() {
    this.readings = [];
  }
  add(month, value) {
    this.readings.push({ month: month, value: value });
  }
  report() {
    let total = 0, cost = 0, most = null;
    let i = 1;
    while (i <= this.readings.length) {
      const used = this.readings[i].value - this.readings[i - 1].value;
      console.log(`${this.readings[i].month}: ${used}${used > 20 ? " !" : ""}`);
      total += used;
      cost += 4 + 1.5 * Math.min(20, used) + 2.25 * Math.max(0, used - 20);
      if (!most || used > most.used) most = { month: this.readings[i].month, used: used };
      i++;
    }
    console.log(`Total: ${total}`);
    console.log(`Mean: ${i > 1 ? (total / (i - 1)).toFixed(1) : "-"}`);
    console.log(`Most: ${most ? most.month + " " + most.used : "-"}`);
    console.log(`Cost: ${cost.toFixed(2)}`);
  }
}
const meter = new Meter();
for (const line of require("fs").readFileSync(0, "utf8").split("\n")) {
  if (line.trim() === "") continue;
  const [m, v] = line.trim().split(/\s+/);
  meter.add(m, Number(v));
}
meter.report();
