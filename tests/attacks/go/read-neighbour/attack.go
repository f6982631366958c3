// Tries to read what another student handed in from Go. Safe: 0, failed or crashed.
package main

import (
	"fmt"
	"os"
)

func main() {
	show(os.Getenv("ROOM")+"/course/go/honest/notes")
}

func show(path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		fmt.Println("held")
		return
	}
	fmt.Println("harm: read", string(text))
}
