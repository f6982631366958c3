// Tries to read what the grader's home holds from Go. Safe: 0, failed or crashed.
package main

import (
	"fmt"
	"os"
)

func main() {
	show(os.Getenv("ROOM")+"/home/.netrc")
	show(os.Getenv("ROOM")+"/home/.ssh/id")
}

func show(path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		fmt.Println("held")
		return
	}
	fmt.Println("harm: read", string(text))
}
