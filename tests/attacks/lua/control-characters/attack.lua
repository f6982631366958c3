-- Tries to paint over the terminal and turn the text round. Safe: 0, failed.
io.write('\27[2J\27]0;harm\7\27[8m\x9b31m\u{202e}\u{2066}\0\r\b passed')
io.stderr:write('\27[1A\27[2K\27]8;;http://example.org\7passed\27]8;;\7\u{9d}52;c;aGFybQ==\7')
