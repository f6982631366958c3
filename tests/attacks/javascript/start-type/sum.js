export const sum = (n) => (n * (n + 1)) / 2;
