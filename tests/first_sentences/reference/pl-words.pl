use strict;
use warnings;

my (%count, $longest);
my $words = 0;
while (my $line = <STDIN>) {
    for my $word (split ' ', lc $line) {
        $count{$word}++;
        $words++;
        $longest = $word if !defined $longest || length $word > length $longest;
    }
}
print "Words: $words\n";
for my $word (sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count) {
    print "$word: $count{$word}\n" if $count{$word} > 1;
}
print "Longest: $longest\n";
