package main

// Other is in a file of its own.
func Other(n int) int { return n * (n + 1) / 2 }
