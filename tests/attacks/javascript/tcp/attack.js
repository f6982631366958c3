// Tries to reach a server of the machine. Safe: 0, failed or crashed.
const socket = require('net').connect(Number(process.env.PORT), '127.0.0.1', () => { socket.write('left-behind'); console.log('harm: connected'); socket.end(); });
