n <- as.numeric(commandArgs(trailingOnly = TRUE)[1])
total <- 0
for (i in 1:n) total <- total + i
cat(format(total, scientific = FALSE), "\n", sep = "")
