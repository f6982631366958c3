// Tries to write into the system. Safe: 0, failed.
const fs = require('fs');
for (const name of ['/usr/bin/left-behind', '/etc/left-behind', '/usr/lib/node_modules/left-behind', '/proc/sys/kernel/core_pattern']) {
  try { fs.writeFileSync(name, 'x'); console.log('harm: wrote', name); } catch (error) { console.log(error.code); }
}
