# Tries to print without end. Safe: 0, output.
my ($text, $stop) = ('x' x 65536, time + 10);
while (time < $stop) { print $text; print STDERR $text; }
