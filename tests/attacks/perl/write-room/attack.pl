# Tries to write over what everybody may write. Safe: 0, failed.
for my $name (qw(/world/precious /world/left-behind /course/specs/perl.yaml /home/left-behind)) {
    if (open(my $file, '>>', "$ENV{ROOM}$name")) { print $file 'x'; print "harm: wrote $name\n"; } else { print "$!\n"; }
}
print 'harm: removed' if unlink "$ENV{ROOM}/world/precious";
print 'harm: changed' if chmod 0777, $ENV{ROOM}, "$ENV{ROOM}/world/precious", "$ENV{ROOM}/home";
print 'harm: dated' if utime 1, 1, "$ENV{ROOM}/world/precious";
