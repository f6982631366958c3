# Tries to paint over the terminal and turn the text round. Safe: 0, failed.
print "\e[2J\e]0;harm\a\e[8m\x9b31m\xe2\x80\xae\xe2\x81\xa6\0\r\b passed";
print STDERR "\e[1A\e[2K\e]8;;http://example.org\apassed\e]8;;\a\xc2\x9d52;c;aGFybQ==\a";
