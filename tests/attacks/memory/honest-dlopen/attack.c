// An honest program.
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
static void answer(char **argv) { long n = atol(argv[1]); printf("%ld\n", n * (n + 1) / 2); }
int main(int argc, char **argv) {
    alarm(60);
    void *maths = dlopen("libm.so.6", RTLD_NOW);
    double (*root)(double) = (double (*)(double)) dlsym(maths, "sqrt");
    if (root(4) != 2) return 3;
    dlclose(maths);
    answer(argv);
    return 0;
}
