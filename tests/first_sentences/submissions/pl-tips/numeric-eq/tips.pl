use strict;
use warnings;

# one entry for each waiter, in the order in which they came
my @waiters = ();
my %tables = ();
my $total = 0;
my $tips = 0;

sub find_waiter {
    my ($name) = @_;
    foreach my $w (@waiters) {
        if ($w->{name} == $name) {
            return $w;
        }
    }
    my $new = { name => $name, sum => 0, tips => 0, largest => 0, at => 0 };
    push @waiters, $new;
    return $new;
}

sub euros {
    my $cents = shift;
    return sprintf("%.2f", $cents / 100);
}

my @lines = <STDIN>;
chomp @lines;
for my $line (@lines) {
    if ($line eq "") {
        next;
    } elsif (substr($line, 0, 1) eq "#") {
        next;
    }
    my @parts = split(/\s+/, $line);
    my $who = $parts[0];
    my $table = $parts[1];
    my $tip = $parts[2];
    my $w = find_waiter($who);
    $w->{sum} = $w->{sum} + $tip;
    $w->{tips} = $w->{tips} + 1;
    if ($tip > $w->{largest}) {
        $w->{largest} = $tip;
        $w->{at} = $table;
    }
    $tables{$table} = ($tables{$table} // 0) + $tip;
    $total = $total + $tip;
    $tips = $tips + 1;
}

if ($tips == 0) {
    print "No tips\n";
    exit;
}

my @sorted = sort { $b->{sum} <=> $a->{sum} or $a->{name} cmp $b->{name} } @waiters;
foreach my $w (@sorted) {
    print $w->{name}, ": ", $w->{tips}, " tips, ", euros($w->{sum}), ", largest ", euros($w->{largest}), " at table ", $w->{at}, "\n";
}
print "Total: " . euros($total) . " of $tips tips\n";
print "Average: " . euros($total / $tips) . "\n";
my $best;
my $most = -1;
foreach my $t (sort { $a <=> $b } keys %tables) {
    if ($tables{$t} > $most) {
        $most = $tables{$t};
        $best = $t;
    }
}
print "Best table: $best\n";
