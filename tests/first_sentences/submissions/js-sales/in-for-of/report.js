const fs = require("fs");

function readSales(file) {
  const lines = fs.readFileSync(file, "utf8").split("\n");
  const sales = [];
  for (let i = 1; i < lines.length; i++) {
    if (lines[i] === "") continue;
    const [date, region, product, units, price] = lines[i].split(",");
    sales.push({ date, region, product, units: Number(units), price: Number(price) });
  }
  return sales;
}

function revenues(sales) {
  const totals = {};
  for (const sale in sales) {
    if (!(sale.region in totals)) totals[sale.region] = 0;
    totals[sale.region] += sale.units * sale.price;
  }
  return Object.entries(totals).sort((a, b) => b[1] - a[1]);
}

function bestProduct(sales) {
  const units = {};
  for (const sale of sales) {
    units[sale.product] = (units[sale.product] || 0) + sale.units;
  }
  let best = "";
  let most = 0;
  for (const product in units) {
    if (units[product] > most) {
      most = units[product];
      best = product;
    }
  }
  return best;
}

function countDays(sales) {
  return new Set(sales.map((sale) => sale.date)).size;
}

const file = process.argv[2];
let sales;
try {
  sales = readSales(file);
} catch (error) {
  console.error(`Cannot read ${file}`);
  process.exit(1);
}
if (sales.length === 0) {
  console.log("No sales");
} else if (process.argv[3] === "--json") {
  const regions = Object.fromEntries(revenues(sales));
  console.log(JSON.stringify({ regions, best: bestProduct(sales), days: countDays(sales) }));
} else {
  for (const [region, revenue] of revenues(sales)) {
    console.log(`${region}: ${revenue.toFixed(2)}`);
  }
  console.log(`Best product: ${bestProduct(sales)}`);
  console.log(`Days: ${countDays(sales)}`);
}
