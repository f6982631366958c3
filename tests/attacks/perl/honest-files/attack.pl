use strict;
use warnings;
use File::Temp qw(tempfile);
my ($file, $name) = tempfile();
print $file $_, "\n" for 1 .. $ARGV[0];
close $file;
open(my $in, '<', $name) or die;
my $sum = 0;
while (<$in>) {
    chomp;
    $sum += $_;
}
print "$sum\n";
