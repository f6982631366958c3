#include <stdio.h>
#include <string.h>
#include <math.h>

typedef struct stop {
    char name[31];
    int aboard;
} stop;

stop stops[100];
int n;

int find_most(void)
{
    int most = -1, where = 0;
    for (int i = 0; i < n; i++) {
        if (stops[i].aboard >= most) {
            most = stops[i].aboard;
            where = i;
        }
    }
    return where;
}

int count_repeated(void)
{
    int count = 0;
    for (int i = 1; i < n; i++) {
        for (int j = 0; j < i; j++) {
            if (strcmp(stops[i].name, stops[j].name) == 0) {
                count++;
                break;
            }
        }
    }
    return count;
}

int main(void)
{
    int places, off, on, aboard = 0, sum = 0, all_left = 0;

    scanf("%d", &places);
    while (scanf("%30s %d %d", stops[n].name, &off, &on) == 3) {
        if (off > aboard) {
            printf("%s: error\n", stops[n].name);
            continue;
        }
        int left = 0;
        aboard -= off;
        while (on > 0) {
            if (aboard < places)
                aboard++;
            else
                left++;
            on--;
        }
        printf("%s: %d aboard", stops[n].name, aboard);
        if (left)
            printf(", %d left behind", left);
        putchar('\n');
        stops[n].aboard = aboard;
        sum += aboard;
        all_left += left;
        n++;
    }
    if (n == 0) {
        puts("no stops");
        return 0;
    }
    int most = find_most();
    printf("Stops: %d\n", n);
    printf("Most: %d at %s\n", stops[most].aboard, stops[most].name);
    printf("Left behind: %d\n", all_left);
    printf("Mean: %.2f\n", 1.0 * sum / n);
    printf("Occupancy: %d %%\n", (int)round(100.0 * sum / (n * places)));
    printf("Repeated: %d\n", count_repeated());
    printf("Back: ");
    for (int i = n - 1; i > 0; i--)
        printf("%s-", stops[i].name);
    printf("%s\n", stops[0].name);
    return 0;
}
