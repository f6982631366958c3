#include <stdio.h>
#include <stdlib.h>

int main(int argc, char *argv[]) {
    int total = 0;
    int most = -1;
    long best = 0;
    if (argc < 2) {
        fprintf(stderr, "Usage: bits NUMBER...\n");
        return 2;
    }
    for (int i = 1; i < argc; i++) {
        char *end;
        long number = strtol(argv[i], &end, 10);
        if (*end != '\0' || number < 0) {
            fprintf(stderr, "%s is no number\n", argv[i]);
            return 1;
        }
        int groups = 1;
        while (number >> (4 * groups)) {
            groups++;
        }
        int ones = 0;
        printf("%ld =", number);
        for (int bit = 4 * groups - 1; bit >= 0; bit--) {
            if (bit % 4 == 3) {
                printf(" ");
            }
            int set = number >> bit & 1;
            ones += set;
            printf("%d", set);
        }
        printf("\n");
        total += number;
        if (ones > most) {
            most = ones;
            best = number;
        }
    }
    printf("Ones: %d\n", total);
    printf("Most: %ld\n", best);
    return 0;
}
