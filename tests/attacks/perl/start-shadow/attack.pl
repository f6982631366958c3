# Tries to shadow libraries of the interpreter. Safe: 10, passed.
use strict;
use warnings;
my $n = $ARGV[0];
print $n * ($n + 1) / 2, "\n";
