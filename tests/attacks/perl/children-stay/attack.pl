# Tries to leave children in sessions of their own. Safe: 0, failed.
use POSIX;
for (1 .. 4) {
    next if fork;
    POSIX::setsid();
    $SIG{TERM} = $SIG{HUP} = 'IGNORE';
    exec 'sh', '-c', 'sleep 30; : left-behind' unless fork;
    exit;
}
select(undef, undef, undef, 0.2);
print "done\n";
