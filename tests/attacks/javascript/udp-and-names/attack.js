// Tries to send a datagram, and ask for a name. Safe: 0, failed or crashed.
const one = require('dgram').createSocket('udp4');
one.send('left-behind', Number(process.env.PORT), '127.0.0.1', (error) => { console.log(error ? error.code : 'sent'); one.close(); });
require('dns').resolve('example.org', (error, found) => console.log(error ? error.code : 'harm: ' + found));
setTimeout(() => process.exit(0), 800).unref();
