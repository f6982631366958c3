# Tries to open raw sockets and ask for a name. Safe: 0, failed.
use Socket;
print socket(my $one, PF_INET, SOCK_RAW, 1) ? "harm: raw\n" : "$!\n";
print socket(my $two, 17, SOCK_RAW, 3) ? "harm: packet\n" : "$!\n";
print socket(my $three, 40, SOCK_STREAM, 0) ? "harm: vsock\n" : "$!\n";
print gethostbyname('example.org') ? "harm: resolved\n" : "none\n";
