// Tries to wait for a mapped file of the system. Safe: 0, timeout.
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
    char *page = mmap(0, 1 << 20, PROT_READ, MAP_SHARED, file, 0);
    while (argc)
    {
        msync(page, 1 << 20, MS_SYNC);
    }
    return file + (int) sum;
}
