#include <stdio.h>
#include "table.inc"

int main(void) {
    printf("%d\n", TABLE[0] + 1); /* 50%: system() */
    return 0;
}
