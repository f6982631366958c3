# Tries to kill what is not its own. Safe: 0, failed or crashed or timeout.
print kill('KILL', $_), "$!\n" for $ENV{VICTIM}, getppid(), -$ENV{VICTIM}, -1;
