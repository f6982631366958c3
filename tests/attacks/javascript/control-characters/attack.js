// Tries to paint over the terminal and turn the text round. Safe: 0, failed.
process.stdout.write('\x1b[2J\x1b]0;harm\x07\x1b[8m\x9b31m\u202e\u2066\x00\r\b passed');
process.stderr.write('\x1b[1A\x1b[2K\x1b]8;;http://example.org\x07passed\x1b]8;;\x07\u009d52;c;aGFybQ==\x07');
