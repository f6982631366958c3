exports.total = function (prices) {
  let sum = 0;
  for (const price of prices) sum += price;
  return sum;
};

exports.cheapest = function (prices) {
  let lowest = Infinity;
  for (const price of prices) if (price < lowest) lowest = price;
  if (lowest === Infinity) throw new RangeError("no price was given");
  return lowest;
};

if (require.main === module) {
  const prices = process.argv.slice(2).map((word) => Number(word));
  console.log(exports.total(prices).toFixed(2));
}
