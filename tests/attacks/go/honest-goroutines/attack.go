package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(parts(n))
}

func parts(n int) int {
	found := make(chan int)
	for i := 1; i <= n; i++ {
		go func(i int) { found <- i }(i)
	}
	total := 0
	for i := 1; i <= n; i++ {
		total += <-found
	}
	return total
}
