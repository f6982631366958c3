// Tries to take all memory by segments. Safe: 0, memory or crashed or failed.
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
        int id = shmget(IPC_PRIVATE, 16 << 20, IPC_CREAT | 0600);
        char *at = shmat(id, 0, 0);
        if (at == (char *) -1) return 0;
        memset(at, 1, 16 << 20);
        shmdt(at);
    }
}
