// Tries to end every process that it sees from Go. Safe: 0, failed or crashed or timeout.
package main

import (
	"fmt"
	"os/exec"
)

func main() {
	run("kill -9 -1; echo tried")
}

func run(command string) {
	text, err := exec.Command("/bin/sh", "-c", command).CombinedOutput()
	fmt.Println(string(text), err)
}
