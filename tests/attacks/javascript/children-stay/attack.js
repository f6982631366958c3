// Tries to leave a child that holds the output open. Safe: 0, failed.
const { spawn } = require('child_process');
spawn('/bin/sh', ['-c', 'trap "" TERM HUP; sleep 30; : left-behind'], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] }).unref();
console.log('done');
process.exit(0);
