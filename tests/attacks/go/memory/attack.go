// Tries to take all memory from Go. Safe: 0, memory or crashed or failed or timeout.
package main

import (
	"fmt"
)

func main() {
	var kept [][]byte
	for i := 0; i < 4000; i++ {
		piece := make([]byte, 1<<20)
		for at := range piece {
			piece[at] = 1
		}
		kept = append(kept, piece)
	}
	fmt.Println(len(kept))
}
