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
static void *work(void *block) { memset(block, 1, 1000); return block; }
int main(int argc, char **argv) {
    alarm(60);
    pthread_t threads[4];
    void *blocks[4];
    for (int at = 0; at < 4; at++) pthread_create(&threads[at], 0, work, blocks[at] = malloc(1000));
    for (int at = 0; at < 4; at++) { pthread_join(threads[at], 0); free(blocks[at]); }
    answer(argv);
    return 0;
}
