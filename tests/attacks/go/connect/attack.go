// Tries to reach a server of the machine from Go. Safe: 0, failed or crashed.
package main

import (
	"fmt"
	"net"
	"os"
)

func main() {
	connect()
}

func connect() {
	conn, err := net.Dial("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		fmt.Println("held")
		return
	}
	fmt.Println("harm: connected", conn)
}
