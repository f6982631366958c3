// Tries to print without end. Safe: 0, output.
const fs = require('fs');
const text = 'x'.repeat(65536);
for (const end = Date.now() + 10000; Date.now() < end;) { fs.writeSync(1, text); fs.writeSync(2, text); }
