# Tries to take all memory from R. Safe: 0, memory or crashed or failed or timeout.
kept <- list()
for (number in 1:4000) kept[[number]] <- rep(number + 0.5, 131072)
cat(length(kept), "\n")
