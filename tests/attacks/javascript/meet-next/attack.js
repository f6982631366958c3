// Tries to leave a file for the next case. Safe: 0, failed.
const fs = require('fs');
for (const folder of ['.', '/tmp', '/var/tmp', '/dev/shm', process.env.HOME || '/', '/tmp/.X11-unix', '/run/lock']) {
  const path = `${folder}/left-behind-js`;
  if (fs.existsSync(path)) console.log('harm: met', path);
  try { fs.writeFileSync(path, 'x'); } catch (error) { }
}
