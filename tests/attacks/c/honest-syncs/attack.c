// An honest program that writes its files as it was taught to.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    long n = atol(argv[1]);
    FILE *file = fopen("sum.txt", "w+");
    fprintf(file, "%ld\n", n * (n + 1) / 2);
    fflush(file);
    if (fsync(fileno(file)) || fdatasync(fileno(file)) || syncfs(fileno(file)))
        return 1;
    sync();
    rewind(file);
    if (fscanf(file, "%ld", &n) != 1)
        return 2;
    printf("%ld\n", n);
    return fsync(-1) == 0 || argc == 0;
}
