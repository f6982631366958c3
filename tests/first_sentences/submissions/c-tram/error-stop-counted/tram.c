#include <stdio.h>
#include <string.h>
#include <math.h>

struct stop {
    char name[31];
    int aboard;
};

int main(void)
{
    struct stop stops[100];
    int count = 0;
    int places, off, on;
    int people = 0;
    int behind = 0;

    scanf("%d", &places);
    while (scanf("%30s", stops[count].name) == 1) {
        scanf("%d %d", &off, &on);
        if (off > people) {
            printf("%s: error\n", stops[count].name);
        } else {
            people -= off;
            int fit = places - people;
            if (on <= fit) {
                people += on;
                printf("%s: %d aboard\n", stops[count].name, people);
            } else {
                people += fit;
                behind += on - fit;
                printf("%s: %d aboard, %d left behind\n", stops[count].name, people, on - fit);
            }
        }
        stops[count].aboard = people;
        count++;
    }
    if (count == 0) {
        printf("no stops\n");
        return 0;
    }

    struct stop *max = &stops[0];
    double mean = 0.0;
    int repeated = 0;
    for (int i = 0; i < count; i++) {
        mean += stops[i].aboard;
        if (stops[i].aboard > max->aboard)
            max = &stops[i];
        for (int k = i - 1; k >= 0; k--) {
            if (strcmp(stops[k].name, stops[i].name) == 0) {
                repeated++;
                break;
            }
        }
    }
    mean /= count;
    printf("Stops: %d\n", count);
    printf("Most: %d at %s\n", max->aboard, max->name);
    printf("Left behind: %d\n", behind);
    printf("Mean: %.2f\n", mean);
    printf("Occupancy: %.0f %%\n", floor(mean * 100 / places + 0.5));
    printf("Repeated: %d\n", repeated);
    printf("Back: ");
    while (count > 1)
        printf("%s-", stops[--count].name);
    printf("%s\n", stops[0].name);
    return 0;
}
