# Tries to fill the memory. Safe: 0, crashed or memory.
my @all;
push @all, 'x' x (1 << 20) . @all while 1;
