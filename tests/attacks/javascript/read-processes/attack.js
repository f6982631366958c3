// Tries to read what other processes were started with. Safe: 0, failed or crashed.
const fs = require('fs');
for (const pid of fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).concat([process.env.VICTIM])) {
  for (const name of ['environ', 'cmdline', 'cwd/.netrc', 'root/etc/shadow']) {
    try { console.log(fs.readFileSync(`/proc/${pid}/${name}`, 'latin1')); } catch (error) { }
  }
}
