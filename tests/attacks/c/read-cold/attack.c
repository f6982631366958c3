// Tries to have the disk of the system read again and again. Safe: 0, timeout.
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
    char *room = malloc(1 << 24);
    while (argc)
    {
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED); pread(file, room, 1 << 24, 0);
    }
    return file + (int) sum;
}
