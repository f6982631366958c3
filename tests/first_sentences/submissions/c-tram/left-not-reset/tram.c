#include <stdio.h>
#include <string.h>
#include <math.h>

int main()
{
    char stops[100][31];
    int aboard[100];
    int n = 0, places, now = 0, off, on;
    int left = 0;
    int all_left = 0;

    scanf("%d", &places);

    while (scanf("%30s %d %d", stops[n], &off, &on) == 3) {
        if (off > now) {
            printf("%s: error\n", stops[n]);
            continue;
        }
        now = now - off + on;
        if (now > places) {
            left = now - places;
            now = places;
        }
        if (left > 0)
            printf("%s: %d aboard, %d left behind\n", stops[n], now, left);
        else
            printf("%s: %d aboard\n", stops[n], now);
        all_left += left;
        aboard[n] = now;
        n++;
    }

    if (n == 0) {
        printf("no stops\n");
        return 0;
    }

    int most = 0, sum = 0, repeated = 0, i, j;
    for (i = 0; i < n; i++) {
        sum += aboard[i];
        if (aboard[i] > aboard[most]) {
            most = i;
        }
    }
    for (i = 0; i < n; i++) {
        for (j = 0; j < i; j++) {
            if (strcmp(stops[i], stops[j]) == 0) {
                repeated++;
                break;
            }
        }
    }
    printf("Stops: %d\n", n);
    printf("Most: %d at %s\n", aboard[most], stops[most]);
    printf("Left behind: %d\n", all_left);
    printf("Mean: %.2f\n", (double)sum / n);
    printf("Occupancy: %.0f %%\n", round(100.0 * sum / n / places));
    printf("Repeated: %d\n", repeated);
    printf("Back: ");
    for (i = n - 1; i > 0; i--)
        printf("%s-", stops[i]);
    printf("%s\n", stops[0]);
    return 0;
}
