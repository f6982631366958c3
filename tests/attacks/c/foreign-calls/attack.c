// Tries to ask the kernel in the language of i386. Safe: 0, failed or crashed.
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
    long found = 20;
#ifdef __x86_64__
    __asm__ volatile("int $0x80" : "+a"(found) : : "memory", "r8", "r9", "r10", "r11");
    if (found > 0) puts("harm: i386");
    if (syscall(0x40000000 + SYS_getpid) > 0) puts("harm: x32");
#endif
}
