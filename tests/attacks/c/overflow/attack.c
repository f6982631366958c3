// Tries to crash by its stack. Safe: 0, crashed.
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
    char room[1 << 20];
    memset(room, getpid(), sizeof room);
    raise(SIGSEGV);
    return room[5];
}
