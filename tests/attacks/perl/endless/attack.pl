# Tries to wait for nothing. Safe: 0, timeout.
$SIG{$_} = 'IGNORE' for qw(TERM INT HUP ALRM);
sleep 60;
