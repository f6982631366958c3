n <- as.numeric(commandArgs(trailingOnly = TRUE)[1])
cat(sum(as.numeric(seq_len(n))), "\n", sep = "")
