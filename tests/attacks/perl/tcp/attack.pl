# Tries to reach a server of the machine. Safe: 0, failed.
use Socket;
$SIG{PIPE} = 'IGNORE';
for my $type (SOCK_STREAM, SOCK_DGRAM) {
    socket(my $one, PF_INET, $type, 0) or print("$!\n"), next;
    alarm 1;
    local $SIG{ALRM} = sub { exit 0 };
    print connect($one, sockaddr_in($ENV{PORT}, INADDR_LOOPBACK)) && $type == SOCK_STREAM ? "harm: connected\n" : "$!\n";
    send($one, 'left-behind', 0);
}
socket(my $named, PF_UNIX, SOCK_STREAM, 0);
print "harm: connected\n" if connect($named, sockaddr_un("$ENV{ROOM}/world/socket"));
print "harm: connected\n" if connect($named, sockaddr_un("\0grader-canary-$ENV{PORT}"));
