const rows = require('fs').readFileSync(0, 'utf8').split('\n').map(r => r.trim().split(' ')).filter(r => r[0]);
const state = { open: {}, dishes: [], times: [], earned: 0 };
for (const [table, dish, price] of rows) {
  if (dish !== 'pays') {
    state.open[table] = state.open[table] || [];
    state.open[table].push(+price);
    const at = state.dishes.indexOf(dish);
    if (at === -1) {
      state.dishes.push(dish);
      state.times.push(1);
    } else {
      state.times[at]++;
    }
  } else {
    const b = state.open[table] || [];
    const s = b.reduce((x, y) => x + y, 0);
    console.log('Table ' + table + ': ' + (b.length ? s.toFixed(2) + ' (' + b.length + ' dishes)' : 'nothing'));
    state.earned += s;
    delete state.open[table];
  }
}
console.log('Open: ' + (Object.keys(state.open).join(', ') || 'none'));
console.log('Earned: ' + state.earned.toFixed(2));
let index = -1;
for (let i = 0; i < state.times.length; i++) {
  if (index < 0 || state.times[i] >= state.times[index]) index = i;
}
console.log('Favourite: ' + (index < 0 ? 'none' : state.dishes[index]));
