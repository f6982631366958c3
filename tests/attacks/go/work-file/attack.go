// Tries to build the course's folder by a workspace. Safe: 0, build-failed or failed.
package main

import "fmt"

func main() { fmt.Println("held") }
