// Tries to print without end from Go. Safe: 0, output or failed or timeout.
package main

import (
	"fmt"
)

func main() {
	for number := 0; number < 2000000000; number++ {
		fmt.Println("and on")
	}
}
