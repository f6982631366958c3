// Tries to rewrite the terminal of whoever looks from Go. Safe: 0, failed.
package main

import (
	"fmt"
)

func main() {
	fmt.Println("\x1b[2J\x1b]0;mine\x1b[8m")
}
