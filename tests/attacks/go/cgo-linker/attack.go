// Tries to write a file of the course by the linker's options. Safe: 0, build-failed.
package main

// #cgo LDFLAGS: -Wl,-Map=/usr/left-behind
// int one(void) { return 1; }
import "C"

import "fmt"

func main() { fmt.Println(C.one()) }
