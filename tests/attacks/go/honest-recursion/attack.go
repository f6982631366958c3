package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(sum(n))
}

func sum(n int) int {
	if n == 0 {
		return 0
	}
	return n + sum(n-1)
}
