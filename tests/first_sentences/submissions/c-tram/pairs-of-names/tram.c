#include <stdio.h>
#include <string.h>
#include <math.h>

#define N 100

char name[N][31];
int aboard[N];

int main(void)
{
    int n = 0, places = 0, people = 0, off = 0, on = 0;
    int behind = 0, sum = 0, repeated = 0, most = 0;

    scanf("%d", &places);
    while (scanf("%30s %d %d", name[n], &off, &on) == 3) {
        if (people < off) {
            printf("%s: error\n", name[n]);
            continue;
        }
        people = people - off + on;
        if (people <= places) {
            printf("%s: %d aboard\n", name[n], people);
        } else {
            int k = people - places;
            people = places;
            behind = behind + k;
            printf("%s: %d aboard, %d left behind\n", name[n], people, k);
        }
        aboard[n] = people;
        n = n + 1;
    }
    if (n == 0) {
        printf("no stops\n");
        return 0;
    }

    for (int i = 0; i < n; i++) {
        sum = sum + aboard[i];
        if (aboard[i] > aboard[most])
            most = i;
    }
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            if (strcmp(name[i], name[j]) == 0)
                repeated = repeated + 1;
        }
    }
    double mean = (double)sum / n;
    printf("Stops: %d\n", n);
    printf("Most: %d at %s\n", aboard[most], name[most]);
    printf("Left behind: %d\n", behind);
    printf("Mean: %.2f\n", mean);
    printf("Occupancy: %.0f %%\n", round(100 * mean / places));
    printf("Repeated: %d\n", repeated);
    printf("Back: %s", name[n - 1]);
    for (int i = n - 2; i >= 0; i--) {
        printf("-%s", name[i]);
    }
    printf("\n");
    return 0;
}
