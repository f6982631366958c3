// Tries to do its harm before main begins. Safe: 0, failed.
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
__attribute__((constructor)) static void early(void) {
    char path[4096];
    snprintf(path, sizeof path, "%s/home/.netrc", getenv("ROOM"));
    FILE *file = fopen(path, "r");
    if (file && fgets(path, sizeof path, file)) puts(path);
    _exit(0);
}
int main(void) { return 0; }
