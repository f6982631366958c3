// Tries to fill the disk. Safe: 0, failed or crashed or timeout or output or memory.
const fs = require('fs');
const block = Buffer.alloc(1 << 24, 1);
for (let i = 0; i < 200; i++) {
  try { fs.writeFileSync(`/tmp/file-${i}`, block); fs.writeFileSync(`file-${i}`, block); } catch (error) { console.log(error.code); break; }
}
