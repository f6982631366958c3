// Tries to serve on all addresses, with the inspector too. Safe: 0, failed or crashed.
try { require('inspector').open(Number(process.env.PORT), '0.0.0.0'); } catch (error) { console.log(error.code); }
const server = require('http').createServer((_, answer) => answer.end('left-behind')).listen(0, '0.0.0.0', () => setTimeout(() => process.exit(0), 300));
server.on('error', (error) => console.log(error.code));
