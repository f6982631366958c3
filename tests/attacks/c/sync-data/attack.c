// Tries to wait for the data of a file of the system. Safe: 0, timeout.
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
        fdatasync(file);
    }
    return file + (int) sum;
}
