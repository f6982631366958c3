// Tries to wait and to burn time without end. Safe: 0, timeout.
process.on('SIGTERM', () => {});
process.on('SIGXCPU', () => {});
for (const end = Date.now() + 60000; Date.now() < end;);
