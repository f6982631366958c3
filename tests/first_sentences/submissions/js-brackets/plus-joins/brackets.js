const fs = require('fs');

const lines = fs.readFileSync(0, 'utf8').split('\n');
const pairs = { ')': '(', ']': '[', '}': '{' };
let deepest = 0;
let balanced = 0;
let total = 0;

function check(line) {
  const stack = [];
  for (let i = 0; i < line.length; i++) {
    const sign = line[i];
    if ('([{'.includes(sign)) {
      stack.push({ sign: sign, at: i + 1 });
      deepest = Math.max(deepest, stack.length);
    } else if (sign in pairs) {
      if (stack.length === 0) {
        return `unexpected ${sign} at ${i + 1}`;
      }
      const open = stack.pop();
      if (open.sign !== pairs[sign]) {
        return `${open.sign} at ${open.at} is closed by ${sign} at ${i + 1}`;
      }
    }
  }
  if (stack.length > 0) {
    const open = stack[stack.length - 1];
    return `${open.sign} at ${open.at} is not closed`;
  }
  return 'ok';
}

lines.forEach((line, index) => {
  if (line.trim() === '') {
    return;
  }
  total++;
  const result = check(line);
  if (result === 'ok') {
    balanced++;
  }
  console.log('' + index + 1 + ': ' + result);
});
console.log(`Balanced: ${balanced} of ${total}`);
console.log(`Deepest: ${deepest}`);
