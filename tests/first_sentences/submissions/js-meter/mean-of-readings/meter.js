const entradas = require('fs').readFileSync(0, 'utf8').split('\n').map(s => s.trim()).filter(s => s.length > 0);
let suma = 0, coste = 0, mayor = null, anterior = null;
let lecturas = 0;
for (const e of entradas) {
  const [mes, lectura] = e.split(' ');
  lecturas++;
  if (anterior !== null) {
    const gasto = Number(lectura) - anterior;
    console.log(`${mes}: ${gasto}${gasto > 20 ? ' !' : ''}`);
    suma += gasto;
    coste += 4 + Math.min(gasto, 20) * 1.5 + Math.max(gasto - 20, 0) * 2.25;
    if (!mayor || gasto > mayor.gasto) mayor = { mes, gasto };
  }
  anterior = Number(lectura);
}
console.log(`Total: ${suma}`);
console.log(`Mean: ${mayor ? (suma / lecturas).toFixed(1) : '-'}`);
console.log(`Most: ${mayor ? mayor.mes + ' ' + mayor.gasto : '-'}`);
console.log(`Cost: ${coste.toFixed(2)}`);
