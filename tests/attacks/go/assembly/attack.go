// Tries to make a system call from assembly. Safe: 0, failed or crashed.
package main

func stop()

func main() { stop() }
