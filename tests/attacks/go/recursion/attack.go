// Tries to take all of the stack from Go. Safe: 0, crashed or memory or timeout or failed.
package main

import (
	"fmt"
)

func main() {
	fmt.Println(deeper(1))
}

func deeper(number int) int {
	return deeper(number+1) + number
}
