const fs = require('fs');
const tische = {}, anzahl = {};
let einnahmen = 0;
for (const zeile of fs.readFileSync(0, 'utf8').split('\n')) {
  const [tisch, gericht, preis] = zeile.trim().split(' ');
  if (!tisch) continue;
  if (gericht === 'pays') {
    const liste = tische[tisch] || [];
    let summe = 0;
    for (const p of liste) summe += p;
    console.log(`Table ${tisch}: ` + (liste.length === 0 ? 'nothing' : `${summe.toFixed(2)} (${liste.length} dishes)`));
    delete tische[tisch];
  } else {
    if (!tische[tisch]) tische[tisch] = [];
    tische[tisch].push(Number(preis));
    einnahmen += Number(preis);
    anzahl[gericht] = (anzahl[gericht] || 0) + 1;
  }
}
console.log('Open: ' + (Object.keys(tische).join(', ') || 'none'));
console.log('Earned: ' + einnahmen.toFixed(2));
let beste = 'none', wie = 0;
for (const g in anzahl) if (anzahl[g] > wie) { beste = g; wie = anzahl[g]; }
console.log('Favourite: ' + beste);
