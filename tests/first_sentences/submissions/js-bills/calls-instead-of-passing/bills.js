const fs = require('fs');
const gaeste = new Map();
const gerichte = new Map();
let kasse = 0;
function verarbeite(zeile) {
  const teile = (zeile || '').trim().split(' ');
  if (teile[0] === '') return;
  if (teile[1] === 'pays') {
    const rechnung = gaeste.get(teile[0]) || [];
    const summe = rechnung.reduce((a, b) => a + b, 0);
    console.log(`Table ${teile[0]}: ` + (rechnung.length ? `${summe.toFixed(2)} (${rechnung.length} dishes)` : 'nothing'));
    kasse += summe;
    gaeste.delete(teile[0]);
  } else {
    gaeste.set(teile[0], [...(gaeste.get(teile[0]) || []), Number(teile[2])]);
    gerichte.set(teile[1], (gerichte.get(teile[1]) || 0) + 1);
  }
}
fs.readFileSync(0, 'utf8').split('\n').forEach(verarbeite());
const offen = [...gaeste.keys()].sort((a, b) => a - b);
console.log('Open: ' + (offen.join(', ') || 'none'));
console.log('Earned: ' + kasse.toFixed(2));
let lieblings = 'none', n = 0;
for (const [g, z] of gerichte) if (z > n) { lieblings = g; n = z; }
console.log('Favourite: ' + lieblings);
