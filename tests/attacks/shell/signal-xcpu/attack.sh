# Tries to look as if the sandbox had ended it, by SIGXCPU. Safe: 0, crashed or failed.
kill -XCPU $$
