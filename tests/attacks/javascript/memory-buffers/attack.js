// Tries to fill memory that is outside of the heap. Safe: 0, crashed or memory.
const all = [];
for (let i = 0; i < 3000; i++) all.push(Buffer.alloc(1 << 20, 1));
console.log('harm: had', all.length, 'MiB');
