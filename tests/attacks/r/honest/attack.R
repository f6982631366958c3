n <- as.numeric(commandArgs(trailingOnly = TRUE)[1])
cat(n * (n + 1) / 2, "\n", sep = "")
