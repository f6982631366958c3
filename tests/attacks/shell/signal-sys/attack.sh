# Tries to look as if the sandbox had ended it, by SIGSYS. Safe: 0, crashed or failed.
kill -SYS $$
