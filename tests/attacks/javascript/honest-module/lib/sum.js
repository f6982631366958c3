exports.sum = (n) => Array.from({ length: n }, (_, i) => i + 1).reduce((a, b) => a + b, 0);
