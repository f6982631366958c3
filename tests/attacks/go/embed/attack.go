// Tries to embed what lies outside. Safe: 0, build-failed.
package main

import (
	_ "embed"
	"fmt"
)

//go:embed ../../../home/.netrc
var text string

func main() { fmt.Println(text) }
