// Tries to signal everybody from C. Safe: 0, failed or crashed.
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
    signal(SIGTERM, SIG_IGN);
    if (!kill(atoi(getenv("VICTIM")), 0)) puts("harm: seen");
    kill(-1, SIGTERM);
    kill(-1, SIGKILL);
}
