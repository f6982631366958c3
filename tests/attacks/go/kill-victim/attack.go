// Tries to end a process of somebody else from Go. Safe: 0, failed or crashed.
package main

import (
	"fmt"
	"os/exec"
)

func main() {
	run("kill -9 $VICTIM; kill -19 $VICTIM; echo tried")
}

func run(command string) {
	text, err := exec.Command("/bin/sh", "-c", command).CombinedOutput()
	fmt.Println(string(text), err)
}
