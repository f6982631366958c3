// Tries to write orders to valgrind into its code as if it were another process. Safe: 0, failed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static volatile int seen;
static void fault(void) { volatile int *block = malloc(40); seen = block[12] == 5; free((void *) block); }
static void answer(char **argv) { long n = atol(argv[1]); printf("%ld\n", n * (n + 1) / 2); }
static unsigned char made[] = {0x49, 0xc2, 0xc8, 0x4, 0x49, 0xc2, 0xc8, 0xe, 0x49, 0xc2, 0xc8, 0x3e, 0x49, 0xc2, 0xc8, 0x34, 0x49, 0x88, 0xdc, 0xc4};
static void call(void *page) {
    volatile long words[6] = {0x1801, 1, 0, 0, 0, 0}, given = 0;
    __asm__ volatile("call *%2" : "=d"(given) : "a"(words), "r"(page), "0"(given) : "cc", "memory");
}
static void fill(unsigned char *page) { for (unsigned at = 0; at < sizeof made; at++) page[at] = made[at] - 1; }
extern char slot[];
__asm__(".text\n.globl slot\nslot: .byte 15,31,68,0,0, 15,31,68,0,0, 15,31,68,0,0, 15,31,64,0, 195\n");
int main(int argc, char **argv) {
    alarm(60);
    unsigned char page[32];
    fill(page);
    struct iovec from = {page, 19}, to = {slot, 19};
    if (getenv("LD_PRELOAD") && process_vm_writev(getpid(), &from, 1, &to, 1, 0) == 19) call(slot);
    fault();
    answer(argv);
    return 0;
}
