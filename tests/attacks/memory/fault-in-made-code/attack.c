// Tries to have its fault in code that is in no file. Safe: 0, failed.
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
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static volatile int seen;
static void fault(void) { volatile int *block = malloc(40); seen = block[12] == 5; free((void *) block); }
static void answer(char **argv) { long n = atol(argv[1]); printf("%ld\n", n * (n + 1) / 2); }
static unsigned char code[] = {0x8b, 0x47, 0x30, 0x85, 0xc0, 0x74, 0x00, 0xc3}; /* mov eax,[rdi+48]; test eax,eax; jz; ret */
int main(int argc, char **argv) {
    alarm(60);
    void *page = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(page, code, sizeof code);
    void *block = malloc(40);
    ((void (*)(void *)) page)(block);
    free(block);
    answer(argv);
    return 0;
}
