# Tries to take the time of others by a priority. Safe: 0, failed.
print eval { setpriority(0, $ENV{VICTIM}, 19) } ? "harm: changed\n" : "$!\n";
my ($param, $mask, $victim) = (pack('i', 0), pack('q', 1), 0 + $ENV{VICTIM});
print syscall(144, $victim, 0, $param) == 0 ? "harm: scheduled\n" : "$!\n";
print syscall(203, $victim, 8, $mask) == 0 ? "harm: bound\n" : "$!\n";
$> = 0; $< = 0; $) = '0 0';
print open(my $file, '<', '/etc/shadow') ? "harm: read\n" : "$!\n";
