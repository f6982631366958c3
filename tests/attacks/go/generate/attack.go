// Tries to run a command of its own at build time by go:generate. Safe: 0, failed.
package main

import "fmt"

//go:generate touch /tmp/left-behind-generate /usr/left-behind-generate
func main() { fmt.Println("held") }
