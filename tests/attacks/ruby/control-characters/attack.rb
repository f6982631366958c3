# Tries to paint over the terminal and turn the text round. Safe: 0, failed.
$stdout.binmode.write("\e[2J\e]0;harm\a\e[8m\x9b31m\u202e\u2066\0\r\b passed".b)
$stderr.write("\e[1A\e[2K\e]8;;http://example.org\apassed\e]8;;\a\u009d52;c;aGFybQ==\a")
