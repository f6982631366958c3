// Tries to read the environment of every process from Go. Safe: 0, failed or crashed.
package main

import (
	"fmt"
	"os/exec"
)

func main() {
	run("cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep canary; echo done")
}

func run(command string) {
	text, err := exec.Command("/bin/sh", "-c", command).CombinedOutput()
	fmt.Println(string(text), err)
}
