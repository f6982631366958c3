# Tries to start processes without end. Safe: 0, failed or crashed or timeout or memory.
my $stop = time + 3;
while (time < $stop) { fork }
exec '/bin/true';
