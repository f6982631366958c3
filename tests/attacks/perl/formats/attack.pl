# Tries to write by formats and descriptors that are not its own. Safe: 0, failed or crashed.
for my $number (3 .. 40) {
    open(my $file, '+>&=', $number) or next;
    print $file "harm: left-behind\n";
    print "harm: read $number\n" if defined sysread($file, my $text, 10);
}
printf '%n%s%1000000$s', 1;
print "\n";
