# Tries to start the interpreter once more with what it loads first. Safe: 0, failed.
open(my $file, '>', 'evil.pm');
print $file "open(my \$f, '>', \"\$ENV{ROOM}/world/left-behind\") and print 'harm: wrote'; 1;";
close $file;
$ENV{PERL5OPT} = '-Mevil';
$ENV{PERL5LIB} = '.';
$ENV{PERL5DB} = 'BEGIN { require "./evil.pm" }';
$ENV{LD_PRELOAD} = './evil.so';
print system('perl', '-d', '-e', '1');
