#include <stdio.h>

int main(int argc, char *argv[]) {
    if (argc != 2) {
        fprintf(stderr, "Usage: dice FILE\n");
        return 2;
    }
    FILE *file = fopen(argv[1], "r");
    if (file == NULL) {
        fprintf(stderr, "Cannot open %s\n", argv[1]);
        return 1;
    }
    int counts[7] = {0};
    int value;
    int throws = 0;
    int sum = 0;
    int run = 0;
    int longest = 0;
    int last = 0;
    while (fscanf(file, "%d", &value) == 1) {
        if (value < 1 || value > 6) {
            continue;
        }
        counts[value]++;
        throws++;
        sum += value;
        if (value == last) {
            run++;
        } else {
            run = 1;
        }
        if (run > longest) {
            longest = run;
        }
        last = value;
    }
    fclose(file);
    if (throws == 0) {
        printf("No throws\n");
        return 0;
    }
    int most = 1;
    for (int face = 1; face <= 6; face++) {
        printf("%d ", face);
        for (int i = 0; i < counts[face]; i++) {
            putchar('*');
        }
        putchar('\n');
        if (counts[face] >= counts[most]) {
            most = face;
        }
    }
    double average = (double) sum / throws;
    printf("Throws: %d\n", throws);
    printf("Average: %.2f\n", average);
    printf("Most: %d\n", most);
    printf("Longest run: %d\n", longest);
    return 0;
}
