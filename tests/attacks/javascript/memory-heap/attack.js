// Tries to fill the heap. Safe: 0, crashed or memory.
const all = [];
for (;;) all.push(new Array(100000).fill({}));
