// Tries to wait for a part of a file of the system. Safe: 0, timeout.
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
    while (argc)
    {
        sync_file_range(file, 0, 0, 7);
    }
    return file + (int) sum;
}
