function total(prices) {
  return prices.reduce((sum, price) => sum + price);
}

function cheapest(prices) {
  return Math.min(...prices);
}

module.exports = { cheapest, total };

if (require.main === module) {
  console.log(total(process.argv.slice(2).map(Number)).toFixed(2));
}
