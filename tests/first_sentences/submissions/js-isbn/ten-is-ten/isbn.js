const fs = require("fs");

const lines = fs.readFileSync(0, "utf8").split("\n");
let right = 0;
let all = 0;
let old = 0;

function checkOfOld(digits) {
  let sum = 0;
  for (let i = 0; i < 9; i++) {
    sum += (10 - i) * Number(digits[i]);
  }
  const check = (11 - (sum % 11)) % 11;
  return String(check);
}

function checkOfNew(digits) {
  let sum = 0;
  for (let i = 0; i < 12; i++) {
    const weight = i % 2 === 0 ? 1 : 3;
    sum += weight * Number(digits[i]);
  }
  return String((10 - (sum % 10)) % 10);
}

for (const line of lines) {
  const number = line.trim();
  if (number === "") continue;
  all++;
  const digits = number.replaceAll("-", "").toUpperCase();
  let check;
  if (digits.length === 10) {
    old++;
    check = checkOfOld(digits);
  } else if (digits.length === 13) {
    check = checkOfNew(digits);
  } else {
    console.log(`${number}: no ISBN`);
    continue;
  }
  const last = digits[digits.length - 1];
  if (last === check) {
    right++;
    console.log(`${number}: right`);
  } else {
    console.log(`${number}: wrong, ends in ${last} and not in ${check}`);
  }
}
console.log(`Right: ${right} of ${all}`);
console.log(`Old: ${old}`);
