// Tries to have the pages of the system read again and again. Safe: 0, timeout.
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
    char *page = mmap(0, 1 << 16, PROT_READ, MAP_SHARED, file, 0);
    while (argc)
    {
        madvise(page, 1 << 16, 21); for (int at = 0; at < 1 << 16; at += 4096) sum += page[at];
    }
    return file + (int) sum;
}
