use strict;
use warnings;
use List::Util qw(sum);
use Data::Dumper;
use POSIX qw(floor);
print floor(sum(1 .. shift)), "\n";
