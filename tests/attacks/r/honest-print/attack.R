n <- as.numeric(commandArgs(trailingOnly = TRUE)[1])
message("adding up")
writeLines(format(sum(1:n)))
