const fs = require("fs");

function price(grams, zone) {
  let cents;
  if (grams <= 500) {
    cents = 350;
  } else if (grams <= 2000) {
    cents = 520;
  } else {
    cents = 990;
  }
  switch (zone) {
    case "B":
      cents = cents * 1.2;
      break;
    case "C":
      cents = cents * 1.5;
      break;
  }
  return Math.round(cents) / 100;
}

const parcels = [];
for (const line of fs.readFileSync(0, "utf8").split("\n")) {
  const parts = line.split(";");
  parcels.push({ id: parts[0], grams: Number(parts[1]), zone: parts[2].trim() });
}
parcels.sort((a, b) => b.grams - a.grams || (a.id < b.id ? -1 : 1));

let total = 0;
let taken = 0;
let refused = 0;
for (const parcel of parcels) {
  const start = `${parcel.id} ${parcel.grams} g ${parcel.zone}`;
  if (parcel.grams > 10000) {
    console.log(start + " refused");
    refused++;
  } else {
    const cost = price(parcel.grams, parcel.zone);
    console.log(start + " " + cost.toFixed(2));
    total += cost;
    taken++;
  }
}
console.log("Parcels: " + taken);
console.log("Refused: " + refused);
console.log("Total: " + total.toFixed(2));
console.log("Average: " + (taken ? (Math.round(total * 100 / taken) / 100).toFixed(2) : "-"));
