// Tries to read the spec and the reference from Go. Safe: 0, failed or crashed.
package main

import (
	"fmt"
	"os"
)

func main() {
	show(os.Getenv("ROOM")+"/course/specs/go.yaml")
	show(os.Getenv("ROOM")+"/course/reference/sum.py")
}

func show(path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		fmt.Println("held")
		return
	}
	fmt.Println("harm: read", string(text))
}
