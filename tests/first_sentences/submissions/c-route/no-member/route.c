#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char from[31], to[31];
    double km;
} Leg;

Leg *read_legs(char *name, int *count)
{
    FILE *in = fopen(name, "r");
    if (!in)
        return NULL;
    Leg *legs = malloc(4 * sizeof(Leg));
    int room = 4;
    *count = 0;
    while (fscanf(in, "%s %s %lf", legs[*count].from, legs[*count].to, &legs[*count].km) == 3) {
        *count = *count + 1;
        if (*count == room) {
            room = room * 2;
            legs = realloc(legs, room * sizeof(Leg));
        }
    }
    fclose(in);
    return legs;
}

int main(int argc, char **argv)
{
    int count, i, best = -1, shown = 0;
    double min, sum = 0;

    if (argc != 3) {
        fputs("Usage: route FILE MIN\n", stderr);
        exit(1);
    }
    min = strtod(argv[2], NULL);
    Leg *legs = read_legs(argv[1], &count);
    if (legs == NULL) {
        fprintf(stderr, "Cannot open %s\n", argv[1]);
        exit(2);
    }
    for (i = 0; i < count; i++) {
        if (legs[i].kms < min)
            continue;
        printf("%s -> %s: %.1f km\n", legs[i].from, legs[i].to, legs[i].km);
        sum += legs[i].km;
        shown++;
        if (best < 0 || legs[i].km > legs[best].km)
            best = i;
    }
    if (shown == 0)
        puts("No legs");
    else
        printf("Legs: %d\nTotal: %.1f\nLongest: %s -> %s\n", shown, sum, legs[best].from, legs[best].to);
    return 0;
}
