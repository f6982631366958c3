# Tries to call by a name in parentheses. Safe: 0, failed.
(eval)("print(1)")
