# Tries to write into the system. Safe: 0, failed.
for my $name (qw(/usr/bin/left-behind /etc/left-behind /etc/perl/sitecustomize.pl /etc/perl/left-behind.pm /proc/sys/kernel/core_pattern)) {
    if (open(my $file, '>', $name)) { print $file 'x'; print "harm: wrote $name\n" if close $file; }
    print "$!\n";
}
