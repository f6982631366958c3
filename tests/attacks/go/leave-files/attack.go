// Tries to leave files for whoever comes next from Go. Safe: 0, failed or crashed.
package main

import (
	"fmt"
	"os"
)

func main() {
	write("/tmp/left-behind-go", false)
	write("/var/tmp/left-behind-go", false)
	write("/dev/shm/left-behind-go", false)
	write("/usr/bin/left-behind-go", true)
	write("/etc/left-behind-go", true)
	write("/srv/left-behind-go", true)
}

func write(path string, harm bool) {
	err := os.WriteFile(path, []byte("mine"), 0o666)
	if err == nil && harm {
		fmt.Println("harm: wrote", path)
	}
}
