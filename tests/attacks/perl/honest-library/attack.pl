use strict;
use FindBin;
use lib "$FindBin::Bin/lib";
use Sum;
print Sum->new(shift)->value, "\n";
