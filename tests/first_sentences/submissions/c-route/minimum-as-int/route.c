#include <stdio.h>
#include <stdlib.h>

struct leg {
    char from[31];
    char to[31];
    double km;
};

int main(int argc, char *argv[])
{
    if (argc != 3) {
        fprintf(stderr, "Usage: route FILE MIN\n");
        return 1;
    }
    double min = atoi(argv[2]);
    FILE *file = fopen(argv[1], "r");
    if (file == NULL) {
        fprintf(stderr, "Cannot open %s\n", argv[1]);
        return 2;
    }
    struct leg leg, longest;
    int shown = 0;
    double total = 0;
    longest.km = -1;
    while (fscanf(file, "%30s %30s %lf", leg.from, leg.to, &leg.km) == 3) {
        if (leg.km >= min) {
            printf("%s -> %s: %.1f km\n", leg.from, leg.to, leg.km);
            shown++;
            total += leg.km;
            if (leg.km > longest.km) {
                longest = leg;
            }
        }
    }
    fclose(file);
    if (shown == 0) {
        printf("No legs\n");
        return 0;
    }
    printf("Legs: %d\n", shown);
    printf("Total: %.1f\n", total);
    printf("Longest: %s -> %s\n", longest.from, longest.to);
    return 0;
}
