// Tries to start threads without end. Safe: 0, failed or crashed or timeout or memory.
const { Worker } = require('worker_threads');
const end = Date.now() + 3000;
for (let i = 0; i < 500 && Date.now() < end; i++) {
  new Worker('while (Date.now() < ' + end + ');', { eval: true }).on('error', () => {});
}
setTimeout(() => process.exit(0), 3000);
