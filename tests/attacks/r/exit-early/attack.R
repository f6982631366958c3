# Tries to end well before it answers from R. Safe: 0, failed.
quit(status = 0)
