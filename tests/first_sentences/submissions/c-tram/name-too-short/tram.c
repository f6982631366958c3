#include <stdio.h>
#include <string.h>

struct stop {
    char name[12];
    int aboard;
};

int main(void)
{
    struct stop day[100];
    int count = 0, places, aboard = 0, behind = 0;

    scanf("%d", &places);

    struct stop s;
    int off, on;
    while (scanf("%s %d %d", s.name, &off, &on) == 3) {
        if (off > aboard) {
            printf("%s: error\n", s.name);
            continue;
        }
        aboard -= off;
        int stay = 0;
        if (aboard + on > places)
            stay = aboard + on - places;
        aboard += on - stay;
        behind += stay;
        s.aboard = aboard;
        if (stay)
            printf("%s: %d aboard, %d left behind\n", s.name, aboard, stay);
        else
            printf("%s: %d aboard\n", s.name, aboard);
        day[count] = s;
        count++;
    }

    if (count == 0) {
        printf("no stops\n");
        return 0;
    }

    int most = 0, repeated = 0;
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += day[i].aboard;
        if (day[i].aboard > day[most].aboard)
            most = i;
        int found = 0;
        for (int k = 0; k < i; k++)
            if (strcmp(day[k].name, day[i].name) == 0)
                found = 1;
        repeated += found;
    }

    printf("Stops: %d\n", count);
    printf("Most: %d at %s\n", day[most].aboard, day[most].name);
    printf("Left behind: %d\n", behind);
    printf("Mean: %.2f\n", sum / count);
    printf("Occupancy: %d %%\n", (int)(100 * sum / count / places + 0.5));
    printf("Repeated: %d\n", repeated);
    printf("Back: ");
    for (int i = count - 1; i >= 0; i--) {
        printf("%s", day[i].name);
        if (i > 0)
            printf("-");
    }
    printf("\n");
    return 0;
}
