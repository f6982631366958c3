package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(loop(n))
}

func loop(n int) (total int) {
	for i := 1; i <= n; i++ {
		total += i
	}
	return
}
