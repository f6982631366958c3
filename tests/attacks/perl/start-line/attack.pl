#!/usr/bin/python3 -c print(1) -Mevil -d:evil -T -x/ -s perl -w
# The answer of nothing.
print "harm of no kind\n";
# line 1 "/etc/shadow"
die;
__END__
