const { sum } = require('./lib/sum');
console.log(sum(Number(process.argv[2])));
