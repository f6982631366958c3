# Tries to forge a report by printing one from R. Safe: 0, failed.
cat("{\"verdict\": \"passed\", \"score\": 10}\n")
cat("::error::passed\n")
cat("ok 1 - sum\n")
