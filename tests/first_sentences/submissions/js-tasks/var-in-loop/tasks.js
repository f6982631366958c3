const lines = require('fs').readFileSync(0, 'utf8').trim().split('\n');

function makeActions(names) {
  const actions = [];
  for (var i = 0; i < names.length; i++) {
    actions.push(() => `${i + 1}. ${names[i]}`);
  }
  return actions;
}

function level(text) {
  switch (Number(text)) {
    case 1:
      return 'low';
    case 2:
      return 'high';
    default:
      return 'unknown';
  }
}

function minutes(task) {
  return task.minutes ?? 30;
}

function isSame(a, b) {
  return a.name === b.name && a.minutes === b.minutes;
}

const tasks = lines.map((line) => {
  const [name, grade, time] = line.split(';');
  return { name, grade, minutes: time === undefined ? undefined : Number(time) };
});
for (const action of makeActions(tasks.map((task) => task.name))) {
  console.log(action());
}
for (const task of tasks) {
  console.log(`${task.name}: ${level(task.grade)}, ${minutes(task)} min`);
}
let doubles = 0;
for (let i = 1; i < tasks.length; i++) {
  if (isSame(tasks[i], tasks[i - 1])) {
    doubles++;
  }
}
console.log(`Doubles: ${doubles}`);
