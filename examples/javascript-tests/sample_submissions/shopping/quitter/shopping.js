const prices = process.argv.slice(2).map(Number);
console.log(prices.reduce((sum, price) => sum + price, 0).toFixed(2));
process.exit(0);
