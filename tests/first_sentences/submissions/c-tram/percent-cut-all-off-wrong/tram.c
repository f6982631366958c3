#include <stdio.h>
#include <string.h>

struct stop { char name[31]; int aboard; };

int main(void)
{
    struct stop stops[100];
    int n = 0;
    int places, off, on;
    int aboard = 0, total = 0, stayed = 0, most = 0, repeated = 0;

    scanf("%d", &places);
    while (scanf("%30s %d %d", stops[n].name, &off, &on) == 3) {
        if (off >= aboard && off != 0) {
            printf("%s: error\n", stops[n].name);
            continue;
        }
        aboard = aboard - off + on;
        int behind = 0;
        if (aboard > places) {
            behind = aboard - places;
            aboard = places;
        }
        printf("%s: %d aboard", stops[n].name, aboard);
        if (behind > 0) {
            printf(", %d left behind", behind);
        }
        printf("\n");
        stops[n].aboard = aboard;
        total += aboard;
        stayed += behind;
        n++;
    }
    if (n == 0) {
        printf("no stops\n");
        return 0;
    }
    for (int i = 0; i < n; i++) {
        if (stops[i].aboard > stops[most].aboard)
            most = i;
        int j;
        for (j = 0; j < i; j++)
            if (strcmp(stops[j].name, stops[i].name) == 0)
                break;
        if (j != i)
            repeated++;
    }
    printf("Stops: %d\n", n);
    printf("Most: %d at %s\n", stops[most].aboard, stops[most].name);
    printf("Left behind: %d\n", stayed);
    printf("Mean: %.2f\n", (double)total / n);
    printf("Occupancy: %d %%\n", 100 * total / (n * places));
    printf("Repeated: %d\n", repeated);
    printf("Back: ");
    for (int i = n - 1; i >= 0; i--)
        printf("%s%s", stops[i].name, i > 0 ? "-" : "\n");
    return 0;
}
