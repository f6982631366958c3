// Tries to read the disk past the cache. Safe: 0, timeout.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
static volatile long sum;
int main(int argc, char **argv) {
    alarm(60);
    int file = open("/usr/bin/make", O_RDONLY);
    char *room = aligned_alloc(4096, 1 << 20); file = open("/usr/bin/gcc", O_RDONLY | O_DIRECT);
    while (argc)
    {
        pread(file, room, 1 << 20, 0);
    }
    return file + (int) sum;
}
