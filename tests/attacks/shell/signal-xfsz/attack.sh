# Tries to look as if the sandbox had ended it, by SIGXFSZ. Safe: 0, crashed or failed.
kill -XFSZ $$
