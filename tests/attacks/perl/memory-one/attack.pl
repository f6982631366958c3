# Tries to ask for all of the memory at once. Safe: 0, crashed or memory.
my $text = 'x' x (1 << 36);
my @all = (1) x (1 << 34);
print "harm: had it\n";
