package Evil;
sub import { print "imported\n"; system 'cat $ROOM/home/.netrc' }
sub VERSION { exit 0 }
1;
