# Tries to take all of the stack from R. Safe: 0, crashed or memory or timeout or failed.
options(expressions = 500000)
deeper <- function(n) 1 + deeper(n + 1)
cat(deeper(1), "\n")
