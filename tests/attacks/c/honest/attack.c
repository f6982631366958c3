#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    long n = atol(argv[1]);
    printf("%ld\n", n * (n + 1) / 2);
    return argc == 0;
}
