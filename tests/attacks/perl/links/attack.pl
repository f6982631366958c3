# Tries to plant links and pipes for whoever collects its files. Safe: 0, failed.
use POSIX;
for (["$ENV{ROOM}/home/.netrc", 'a'], ['/etc/shadow', 'b'], [$ENV{ROOM}, 'd']) {
    symlink $_->[0], $_->[1];
    print open(my $file, '<', $_->[1]) && <$file> ? "harm: read\n" : "$!\n";
}
print link("$ENV{ROOM}/world/precious", 'e') ? "harm: linked\n" : "$!\n";
POSIX::mkfifo($_, 0666) for 'pipe', 'attack.fifo';
