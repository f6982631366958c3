# Tries to unshare, mount and trace by numbers of system calls. Safe: 0, failed.
my %calls = (unshare => [272, 0x10000000], chroot => [161, '/'], ptrace => [101, 16, 0 + $ENV{VICTIM}, 0, 0], reboot => [169, 0, 0, 0, 0], bpf => [321, 0, 0, 0], perf => [298, 0, 0, -1, -1, 0], keyctl => [250, 0, -3, 1], hostname => [170, 'left-behind', 11], uring => [425, 1, 0], clone => [56, 0x10000011, 0, 0, 0, 0], userfault => [323, 0]);
for (sort keys %calls) {
    my $got = syscall(shift @{ $calls{$_} }, @{ $calls{$_} });
    print $got >= 0 ? "harm: $_\n" : "$_ $!\n";
    exit if $_ eq 'clone' && $got == 0;
}
