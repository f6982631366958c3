# Tries to read what other processes were started with. Safe: 0, failed.
for my $path (glob('/proc/[0-9]*/environ /proc/[0-9]*/cmdline /proc/[0-9]*/cwd/.netrc'), "/proc/$ENV{VICTIM}/environ", "/proc/$ENV{VICTIM}/cwd/.netrc") {
    open(my $file, '<', $path) or next;
    print tr/\0/ /r for <$file>;
}
