# Tries to print files as the message of a syntax error. Safe: 0, failed.
for my $name ("$ENV{ROOM}/home/.netrc", "$ENV{ROOM}/course/perl/honest/notes", '/etc/shadow', '/proc/1/environ') {
    do $name;
    print "$@ $!\n";
    eval { require $name };
    print $@;
}
push @INC, sub { open(my $file, '<', "$ENV{ROOM}/home/.netrc"); return $file };
eval { require Nothing::There };
print $@;
