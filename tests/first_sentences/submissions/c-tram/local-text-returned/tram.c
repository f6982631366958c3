#include <stdio.h>
#include <string.h>
#include <math.h>

char names[100][31];
int aboard[100];
int n = 0;

char *way_back(void)
{
    char way[3200] = "";
    for (int i = n - 1; i >= 0; i--) {
        strcat(way, names[i]);
        if (i > 0)
            strcat(way, "-");
    }
    return way;
}

int seen_before(int index)
{
    for (int i = 0; i < index; i++)
        if (strcmp(names[i], names[index]) == 0)
            return 1;
    return 0;
}

int main(void)
{
    int places, off, on, now = 0, behind = 0;

    scanf("%d", &places);
    while (scanf("%30s %d %d", names[n], &off, &on) == 3) {
        if (off > now) {
            printf("%s: error\n", names[n]);
            continue;
        }
        int left = 0;
        now -= off;
        if (now + on > places) {
            left = now + on - places;
            now = places;
        } else {
            now += on;
        }
        printf(left > 0 ? "%s: %d aboard, %d left behind\n" : "%s: %d aboard\n", names[n], now, left);
        behind += left;
        aboard[n] = now;
        n++;
    }
    if (n == 0) {
        printf("no stops\n");
        return 0;
    }
    int sum = 0, most = 0, repeated = 0;
    for (int i = 0; i < n; i++) {
        sum += aboard[i];
        if (aboard[i] > aboard[most])
            most = i;
        repeated += seen_before(i);
    }
    printf("Stops: %d\n", n);
    printf("Most: %d at %s\n", aboard[most], names[most]);
    printf("Left behind: %d\n", behind);
    printf("Mean: %.2f\n", (double)sum / n);
    printf("Occupancy: %.0f %%\n", round(100.0 * sum / n / places));
    printf("Repeated: %d\n", repeated);
    printf("Back: %s\n", way_back());
    return 0;
}
