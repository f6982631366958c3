// Tries to take a module from a folder outside. Safe: 0, build-failed.
package main

import "secret.test/home"

func main() { home.Main() }
