// Tries to run for ever from Go. Safe: 0, timeout.
package main

func main() {
	for number := 1; number > 0; number ^= 2 {
	}
}
