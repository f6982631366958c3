// Tries to start two thousand processes from Go. Safe: 0, failed or crashed or timeout or memory.
package main

import (
	"fmt"
	"os/exec"
)

func main() {
	run("i=0; while [ $i -lt 2000 ]; do sleep 3 & i=$((i+1)); done; echo tried")
}

func run(command string) {
	text, err := exec.Command("/bin/sh", "-c", command).CombinedOutput()
	fmt.Println(string(text), err)
}
