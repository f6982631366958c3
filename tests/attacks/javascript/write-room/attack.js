// Tries to write over what everybody may write. Safe: 0, failed.
const fs = require('fs');
for (const name of ['/world/precious', '/world/left-behind', '/course/specs/javascript.yaml', '/home/left-behind']) {
  try { fs.appendFileSync(process.env.ROOM + name, 'x'); console.log('harm: wrote', name); } catch (error) { console.log(error.code); }
}
