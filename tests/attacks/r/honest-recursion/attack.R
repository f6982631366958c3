n <- as.numeric(commandArgs(trailingOnly = TRUE)[1])
half <- function(a, b) if (a == b) a else half(a, (a + b) %/% 2) + half((a + b) %/% 2 + 1, b)
writeLines(as.character(half(1, n)))
