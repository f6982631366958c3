// Tries to read behind a vector. Safe: 0, failed.
