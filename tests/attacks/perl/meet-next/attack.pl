# Tries to leave a file for the next case. Safe: 0, failed.
for my $folder ('.', '/tmp', '/var/tmp', '/dev/shm', $ENV{HOME} || '/', '/tmp/.X11-unix', '/run/lock') {
    print "harm: met $folder\n" if -e "$folder/left-behind-perl";
    open(my $file, '>', "$folder/left-behind-perl");
}
