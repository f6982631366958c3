// Tries to have its fault in a child that the loader starts. Safe: 0, failed.
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
int main(int argc, char **argv) {
    alarm(60);
    if (argc > 2) { fault(); answer(argv); return 0; }
    if (fork() == 0) { execl("/lib64/ld-linux-x86-64.so.2", "ld", "./attack", argv[1], "again", (char *) 0); _exit(9); }
    wait(0);
    return 0;
}
