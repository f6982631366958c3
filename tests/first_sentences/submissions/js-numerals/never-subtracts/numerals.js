const SIGNS = [
  [1000, "M"], [900, "CM"], [500, "D"], [400, "CD"], [100, "C"], [90, "XC"],
  [50, "L"], [40, "XL"], [10, "X"], [9, "IX"], [5, "V"], [4, "IV"], [1, "I"],
];

function toRoman(n) {
  let result = "";
  for (const [value, sign] of SIGNS) {
    while (n >= value) {
      result += sign;
      n -= value;
    }
  }
  return result;
}

const VALUES = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };

function fromRoman(text) {
  let total = 0;
  for (let i = 0; i < text.length; i++) {
    const value = VALUES[text[i]];
    const next = VALUES[text[i + 1]] || 0;
    if (value < next) {
      total += value;
    } else {
      total += value;
    }
  }
  return total;
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 0) {
    return (sorted[middle - 1] + sorted[middle]) / 2;
  }
  return sorted[middle];
}

function histogram(numbers, width) {
  const counts = [];
  const last = Math.floor(Math.max(...numbers) / width);
  for (let i = 0; i <= last; i++) {
    counts.push(0);
  }
  for (const number of numbers) {
    counts[Math.floor(number / width)]++;
  }
  return counts;
}

module.exports = { toRoman, fromRoman, median, histogram };
