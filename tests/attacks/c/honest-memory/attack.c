#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = atoi(argv[argc - 1]);
    long *sums = malloc((n + 1) * sizeof *sums);
    if (!sums) return 1;
    sums[0] = 0;
    for (int i = 1; i <= n; i++) sums[i] = sums[i - 1] + i;
    printf("%ld\n", sums[n]);
    free(sums);
    return 0;
}
