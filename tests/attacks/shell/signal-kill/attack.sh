# Tries to look as if the sandbox had ended it, by SIGKILL. Safe: 0, crashed or failed.
kill -KILL $$
