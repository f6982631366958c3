// Tries to start itself without end. Safe: 0, failed or crashed or timeout or memory.
const { spawn } = require('child_process');
const end = Date.now() + 3000;
while (Date.now() < end) {
  try { spawn(process.execPath, [__filename], { stdio: 'ignore', detached: true }).on('error', () => {}); } catch (error) { break; }
}
process.exit(0);
