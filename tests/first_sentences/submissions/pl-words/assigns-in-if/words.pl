#!/usr/bin/perl
$total = 0;
$longest = "";
while ($line = <STDIN>) {
    chomp($line);
    @parts = split(/ +/, lc($line));
    foreach $w (@parts) {
        $seen{$w} += 1;
        $total += 1;
        if (length($w) > length($longest)) {
            $longest = $w;
        }
    }
}
print "Words: $total\n";
foreach $w (sort { $seen{$b} <=> $seen{$a} || $a cmp $b } keys %seen) {
    if ($seen{$w} = 1) {
        next;
    }
    print "$w: $seen{$w}\n";
}
print "Longest: $longest\n";
