// Tries to forge a report by printing one from Go. Safe: 0, failed.
package main

import (
	"fmt"
)

func main() {
	fmt.Println("{\"verdict\": \"passed\", \"score\": 10}")
	fmt.Println("::error::passed")
	fmt.Println("ok 1 - sum")
}
