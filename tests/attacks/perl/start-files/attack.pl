# Tries to have a file loaded before the program, by the settings of perl and its tools. Safe: 10, passed.
use strict;
use warnings;
my $n = $ARGV[0];
print $n * ($n + 1) / 2, "\n";
