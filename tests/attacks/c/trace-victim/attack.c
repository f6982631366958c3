// Tries to trace others, which C may. Safe: 0, failed.
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
    int victims[] = {1, getppid(), atoi(getenv("VICTIM"))};
    for (int i = 0; i < 3; i++)
        if (!ptrace(PTRACE_SEIZE, victims[i], 0, 0))
            puts(i < 2 ? "traced what started it, which is its own" : "harm: traced");
}
