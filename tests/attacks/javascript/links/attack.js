// Tries to plant links and pipes for whoever collects its files. Safe: 0, failed.
const fs = require('fs');
const room = process.env.ROOM;
for (const [from, to] of [[`${room}/home/.netrc`, 'a'], ['/etc/shadow', 'b'], ['/proc/self/environ', 'c'], [room, 'd']]) {
  try { fs.symlinkSync(from, to); console.log(fs.readFileSync(to, 'latin1').includes('canary-5c') ? 'harm: read' : ''); } catch (error) { console.log(error.code); }
}
try { fs.linkSync('/usr/bin/env', 'e'); fs.linkSync(`${room}/world/precious`, 'f'); console.log('harm: linked'); } catch (error) { console.log(error.code); }
require('child_process').spawnSync('mkfifo', ['pipe', '/tmp/pipe']);
