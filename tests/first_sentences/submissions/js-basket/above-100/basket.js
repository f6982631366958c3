function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price * item.amount;
  }
  return sum;
}

function discounted(sum, code) {
  if (sum > 100) {
    sum = sum * 0.9;
  }
  if (code === "WELCOME") {
    sum = sum - 5;
  }
  return Math.max(sum, 0);
}

function cheapest(items) {
  let best = null;
  for (const item of items) {
    if (best === null || item.price < best.price) {
      best = item;
    }
  }
  return best === null ? null : best.name;
}

function names(items) {
  const result = items.map((item) => item.name);
  result.sort();
  return result;
}

function amounts(items) {
  const counts = {};
  for (const item of items) {
    counts[item.name] = (counts[item.name] || 0) + item.amount;
  }
  return counts;
}

function receipt(items) {
  const lines = [];
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    lines.push(`${item.amount} x ${item.name}: ${(item.price * item.amount).toFixed(2)}`);
  }
  lines.push(`Total: ${total(items).toFixed(2)}`);
  return lines;
}

module.exports = { total, discounted, cheapest, names, amounts, receipt };
