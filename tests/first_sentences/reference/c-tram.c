#include <math.h>
#include <stdio.h>
#include <string.h>

struct stop {
    char name[31];
    int aboard;
};

int main(void)
{
    struct stop stops[100];
    int n = 0, aboard = 0, left = 0, most = 0, repeated = 0, sum = 0;
    int places, off, on;
    char name[31];

    scanf("%d", &places);
    while (scanf("%30s %d %d", name, &off, &on) == 3) {
        if (off > aboard) {
            printf("%s: error\n", name);
            continue;
        }
        aboard += on - off;
        int behind = aboard > places ? aboard - places : 0;
        aboard -= behind;
        printf("%s: %d aboard", name, aboard);
        if (behind > 0)
            printf(", %d left behind", behind);
        printf("\n");
        left += behind;
        sum += aboard;
        strcpy(stops[n].name, name);
        stops[n].aboard = aboard;
        if (aboard > stops[most].aboard)
            most = n;
        for (int i = 0; i < n; i++) {
            if (strcmp(stops[i].name, name) == 0) {
                repeated++;
                break;
            }
        }
        n++;
    }
    if (n == 0) {
        printf("no stops\n");
        return 0;
    }
    double mean = (double)sum / n;
    printf("Stops: %d\n", n);
    printf("Most: %d at %s\n", stops[most].aboard, stops[most].name);
    printf("Left behind: %d\n", left);
    printf("Mean: %.2f\n", mean);
    printf("Occupancy: %.0f %%\n", floor(100 * mean / places + 0.5));
    printf("Repeated: %d\n", repeated);
    printf("Back: ");
    for (int i = n - 1; i >= 0; i--)
        printf("%s%s", stops[i].name, i > 0 ? "-" : "\n");
    return 0;
}
