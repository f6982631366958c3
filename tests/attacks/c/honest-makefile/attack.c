#include "sum.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    printf("%ld\n", sum(atol(argv[argc - 1])));
}
