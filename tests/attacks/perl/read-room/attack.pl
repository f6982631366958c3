# Tries to print the spec, the reference and the secrets of a home. Safe: 0, failed.
for my $name (qw(course/specs/perl.yaml course/reference/sum.py course/perl/honest/notes home/.netrc home/.ssh/id)) {
    if (open(my $file, '<', "$ENV{ROOM}/$name")) { print "harm: ", <$file>; } else { print "$!\n"; }
}
print "harm: $_\n" for glob("$ENV{ROOM}/*/* $ENV{ROOM}/course/perl/*/*");
