// Tries to lock memory so that nothing else has any. Safe: 0, memory or crashed or failed.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/shm.h>
#include <sys/msg.h>
#include <signal.h>
#include <errno.h>
int main(void) {
    alarm(6);
    for (int i = 0; i < 40; i++) {
        char *at = mmap(0, 16 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, -1, 0);
        if (at == MAP_FAILED) return 0;
        memset(at, 1, 16 << 20);
    }
}
