// Tries to run away from its group, again and again. Safe: 0, failed or crashed.
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
    for (int i = 0; i < 300; i++) {
        if (fork() > 0) _exit(0);
        setsid();
    }
}
