for my $path ('/tmp/left-behind-start', '/srv/left-behind-start') {
    open(my $file, '>', $path);
}
print "harm: was started\n";
1;
