// Tries to write into a file that everybody may write from Go. Safe: 0, failed or crashed.
package main

import (
	"fmt"
	"os"
)

func main() {
	write(os.Getenv("ROOM")+"/world/precious", true)
}

func write(path string, harm bool) {
	err := os.WriteFile(path, []byte("mine"), 0o666)
	if err == nil && harm {
		fmt.Println("harm: wrote", path)
	}
}
