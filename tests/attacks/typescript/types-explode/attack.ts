// Tries to take the compiler's memory by types. Safe: 0, build-failed or failed.
type Grow<T extends any[]> = T["length"] extends 999999 ? T : Grow<[...T, ...T, 1]>;
const grown: Grow<[1]> = [];
console.log(grown);
