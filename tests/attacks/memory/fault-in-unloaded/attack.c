// Tries to have its fault in a library that is unloaded. Safe: 0, failed.
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
    void *own = dlopen("./own", RTLD_NOW);
    seen = ((int (*)(void)) dlsym(own, "own"))();
    dlclose(own);
    answer(argv);
    return 0;
}
