// Tries to take the time of others by a priority. Safe: 0, failed.
const os = require('os');
for (const [pid, value] of [[Number(process.env.VICTIM), 19], [0, -20]]) {
  try { os.setPriority(pid, value); console.log(pid ? 'harm: changed' : 'took'); } catch (error) { console.log(error.code); }
}
