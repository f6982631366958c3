# Tries to run while it is only read, by blocks, filters and use. Safe: 0, failed or crashed.
BEGIN {
    for my $path ('/srv/left-behind-start', "$ENV{ROOM}/world/left-behind") {
        print "harm: wrote\n" if open(my $file, '>', $path);
    }
    unshift @INC, '.';
    $^P = 0x3ff;
    open(STDERR, '>&', \*STDOUT);
}
use lib ("$ENV{ROOM}/home", "$ENV{ROOM}/course/perl/honest");
use if 1, 'Evil';
INIT { print "early\n" }
no Evil 1.0;
