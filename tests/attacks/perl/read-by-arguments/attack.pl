# Tries to read by the operators that start commands. Safe: 0, failed.
@ARGV = ('cat $ROOM/home/.netrc |', "$ENV{ROOM}/course/perl/honest/notes", '/etc/shadow', 'cat /proc/*/environ |');
print 'got ', $_ while <>;
print `cat $ENV{ROOM}/home/.ssh/id`, qx(ls -la $ENV{ROOM}/course);
open(my $pipe, '-|', 'find', $ENV{ROOM}, '-name', 'notes', '-exec', 'cat', '{}', ';');
print <$pipe>;
