// Tries to end well before it answers from TypeScript. Safe: 0, failed.
declare const require: any, process: any, Buffer: any;

process.exit(0);
