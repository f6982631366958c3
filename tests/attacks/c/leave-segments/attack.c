// Tries to leave segments and queues that outlive it. Safe: 0, failed.
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
    int id = shmget(0x60570002, 4096, IPC_CREAT | 0666);
    char *at = shmat(id, 0, 0);
    if (at != (char *) -1) {
        if (!strcmp(at, "state")) puts("harm: state");
        strcpy(at, "state");
    }
    msgget(0x60570002, IPC_CREAT | 0666);
}
