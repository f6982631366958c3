// Tries to fetch a module from the network. Safe: 0, build-failed.
package main

import "left.test/behind"

func main() { behind.Main() }
