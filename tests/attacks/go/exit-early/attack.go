// Tries to end well before it answers from Go. Safe: 0, failed.
package main

import (
	"os"
)

func main() {
	os.Exit(0)
}
