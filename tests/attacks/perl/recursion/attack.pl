# Tries to break the stack of the interpreter. Safe: 0, crashed or memory or timeout.
no warnings;
my $deep = [];
$deep = [$deep] for 1 .. 400000;
undef $deep;
sub f { return f(@_, 1) + 1 }
f();
