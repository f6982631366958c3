// Tries to answer before main, and then kill from C. Safe: 0, failed or crashed or build-failed.
package main

/*
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static void early(void) __attribute__((constructor));
static void early(void) {
    if (kill(atoi(getenv("VICTIM")), 9) == 0)
        puts("harm: killed");
}
*/
import "C"

func main() {}
