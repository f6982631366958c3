#include <stdio.h>
#include <string.h>
#include <math.h>

typedef struct {
    char name[31];
    int aboard;
} Stop;

int repeated(Stop stops[])
{
    int result = 0;
    int n = sizeof(stops) / sizeof(stops[0]);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            if (strcmp(stops[i].name, stops[j].name) == 0) {
                result++;
                break;
            }
        }
    }
    return result;
}

int index_of_most(Stop stops[], int n)
{
    int most = 0;
    for (int i = 1; i < n; i++) {
        if (stops[i].aboard > stops[most].aboard)
            most = i;
    }
    return most;
}

double mean_of(Stop stops[], int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += stops[i].aboard;
    return sum / n;
}

int main(void)
{
    Stop stops[100];
    int n = 0, places, aboard = 0, off, on, left = 0;
    char name[31];

    scanf("%d", &places);
    while (scanf("%30s %d %d", name, &off, &on) == 3) {
        if (off > aboard) {
            printf("%s: error\n", name);
            continue;
        }
        aboard = aboard - off + on;
        if (aboard > places) {
            printf("%s: %d aboard, %d left behind\n", name, places, aboard - places);
            left += aboard - places;
            aboard = places;
        } else {
            printf("%s: %d aboard\n", name, aboard);
        }
        strcpy(stops[n].name, name);
        stops[n++].aboard = aboard;
    }
    if (!n) {
        puts("no stops");
        return 0;
    }
    int most = index_of_most(stops, n);
    double mean = mean_of(stops, n);
    printf("Stops: %d\n", n);
    printf("Most: %d at %s\n", stops[most].aboard, stops[most].name);
    printf("Left behind: %d\n", left);
    printf("Mean: %.2f\n", mean);
    printf("Occupancy: %ld %%\n", lround(100 * mean / places));
    printf("Repeated: %d\n", repeated(stops));
    printf("Back: %s", stops[n - 1].name);
    for (int i = n - 2; i >= 0; i--)
        printf("-%s", stops[i].name);
    printf("\n");
    return 0;
}
