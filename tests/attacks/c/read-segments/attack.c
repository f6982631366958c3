// Tries to read the segments of others. Safe: 0, failed.
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
    for (int id = 0; id < 64; id++) {
        char *at = shmat(id, 0, SHM_RDONLY);
        if (at != (char *) -1 && !strncmp(at, "canary", 6)) printf("harm: %.40s\n", at);
    }
}
