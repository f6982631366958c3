#!/usr/bin/perl
use strict;
use warnings;

my (%sum, %count, %largest, %at, %table);
my $total = 0;
my $n = 0
while (my $line = <STDIN>) {
    chomp $line;
    next if $line =~ /^\s*$/ or $line =~ /^#/;
    my ($name, $table, $cents) = split ' ', $line;
    $sum{$name} += $cents;
    $count{$name}++;
    if (!defined $largest{$name} || $cents > $largest{$name}) {
        $largest{$name} = $cents;
        $at{$name} = $table;
    }
    $table{$table} += $cents;
    $total += $cents;
    $n++;
}
if ($n == 0) {
    print "No tips\n";
    exit 0;
}
foreach my $name (sort { $sum{$b} <=> $sum{$a} || $a cmp $b } keys %sum) {
    printf "%s: %d tips, %.2f, largest %.2f at table %d\n",
        $name, $count{$name}, $sum{$name} / 100, $largest{$name} / 100, $at{$name};
}
printf "Total: %.2f of %d tips\n", $total / 100, $n;
printf "Average: %.2f\n", $total / $n / 100;
my ($best) = sort { $table{$b} <=> $table{$a} || $a <=> $b } keys %table;
print "Best table: $best\n";
