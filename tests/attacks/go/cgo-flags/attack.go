// Tries to load a plugin into the C compiler by a cgo directive. Safe: 0, build-failed.
package main

// #cgo CFLAGS: -fplugin=./plugin.so
// int one(void) { return 1; }
import "C"

import "fmt"

func main() { fmt.Println(C.one()) }
