// Tries to start node once more with options that load a library. Safe: 0, failed or crashed.
const { spawnSync } = require('child_process');
const env = { ...process.env, NODE_OPTIONS: '--require /proc/self/cwd/evil.js --inspect=0.0.0.0:0', NODE_PATH: process.env.ROOM, LD_PRELOAD: './evil.so', OPENSSL_CONF: './evil.cnf' };
const done = spawnSync(process.execPath, ['-e', '0'], { env, timeout: 3000 });
console.log(String(done.stdout), String(done.stderr));
