// Tries to read the home by cgo's preamble. Safe: 0, build-failed or failed.
package main

// #include "/proc/self/environ"
// int one(void) { return 1; }
import "C"

import "fmt"

func main() { fmt.Println(C.one()) }
