use strict;
my $sum = 0;
$sum += $_ for 1 .. $ARGV[0];
printf "%d\n", $sum;
