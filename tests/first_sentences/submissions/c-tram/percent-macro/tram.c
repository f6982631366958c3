#include <stdio.h>
#include <string.h>
#include <math.h>

#define PLACES_MAX 100
#define PERCENT(part, whole) 100.0 * part / whole

struct stop {
    char name[31];
    int aboard;
    int behind;
};

int read_stops(struct stop stops[], int places)
{
    int n = 0, aboard = 0, off, on;
    char name[31];
    while (scanf("%30s%d%d", name, &off, &on) == 3) {
        if (off > aboard) {
            printf("%s: error\n", name);
        } else {
            struct stop *s = &stops[n++];
            strcpy(s->name, name);
            aboard += on - off;
            s->behind = aboard > places ? aboard - places : 0;
            aboard -= s->behind;
            s->aboard = aboard;
            printf("%s: %d aboard", name, aboard);
            if (s->behind)
                printf(", %d left behind", s->behind);
            printf("\n");
        }
    }
    return n;
}

int main(void)
{
    struct stop stops[PLACES_MAX];
    int places;
    scanf("%d", &places);
    int n = read_stops(stops, places);
    if (n == 0) {
        printf("no stops\n");
        return 0;
    }
    int sum = 0, behind = 0, repeated = 0;
    struct stop *most = stops;
    for (int i = 0; i < n; i++) {
        sum += stops[i].aboard;
        behind += stops[i].behind;
        if (stops[i].aboard > most->aboard)
            most = &stops[i];
        int j = 0;
        while (j < i && strcmp(stops[j].name, stops[i].name) != 0)
            j++;
        if (j < i)
            repeated++;
    }
    printf("Stops: %d\n", n);
    printf("Most: %d at %s\n", most->aboard, most->name);
    printf("Left behind: %d\n", behind);
    printf("Mean: %.2f\n", (double)sum / n);
    printf("Occupancy: %.0f %%\n", round(PERCENT(sum, n * places)));
    printf("Repeated: %d\n", repeated);
    printf("Back: ");
    for (int i = n - 1; i >= 0; i--)
        printf("%s%s", stops[i].name, i > 0 ? "-" : "\n");
    return 0;
}
