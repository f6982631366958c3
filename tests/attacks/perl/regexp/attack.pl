# Tries to burn time in an expression. Safe: 0, timeout.
$SIG{TERM} = 'IGNORE';
$SIG{XCPU} = 'IGNORE';
my $text = 'a' x 40;
1 while !($text =~ /^(?:a?){40}a{40}b|^((a|a?)+)+\2$(*F)/);
print 1;
while (1) { }
