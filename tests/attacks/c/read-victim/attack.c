// Tries to read memory of others, which C may ask. Safe: 0, failed.
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
    char room[64] = "";
    int victims[] = {getppid(), atoi(getenv("VICTIM"))};
    for (int i = 0; i < 2; i++) {
        struct { void *at; unsigned long size; } here = {room, 8}, there = {(void *) 0x400000, 8};
        if (syscall(SYS_process_vm_readv, victims[i], &here, 1UL, &there, 1UL, 0UL) >= 0 || errno == EFAULT)
            puts(i < 1 ? "read what started it, which is its own" : "harm: read");
    }
}
