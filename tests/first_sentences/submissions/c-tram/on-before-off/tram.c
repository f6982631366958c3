#include <stdio.h>
#include <string.h>
#include <math.h>

struct tram {
    int places;
    int aboard;
    int left_behind;
};

/* lets people on and off; returns how many stay behind */
int stop_at(struct tram *t, int off, int on)
{
    int behind = 0;
    if (t->aboard + on > t->places) {
        behind = t->aboard + on - t->places;
        t->aboard = t->places;
    } else {
        t->aboard += on;
    }
    t->aboard -= off;
    t->left_behind += behind;
    return behind;
}

int main(void)
{
    struct tram t = {0, 0, 0};
    char names[100][31];
    int aboard[100];
    int count = 0, off, on;

    scanf("%d", &t.places);
    while (scanf("%30s %d %d", names[count], &off, &on) == 3) {
        if (off > t.aboard) {
            printf("%s: error\n", names[count]);
            continue;
        }
        int behind = stop_at(&t, off, on);
        printf("%s: %d aboard", names[count], t.aboard);
        if (behind > 0)
            printf(", %d left behind", behind);
        printf("\n");
        aboard[count++] = t.aboard;
    }
    if (count == 0) {
        printf("no stops\n");
        return 0;
    }
    double sum = 0;
    int most = 0, repeated = 0;
    for (int i = 0; i < count; i++) {
        sum += aboard[i];
        if (aboard[i] > aboard[most])
            most = i;
        for (int j = 0; j < i; j++)
            if (!strcmp(names[j], names[i])) {
                repeated++;
                break;
            }
    }
    printf("Stops: %d\n", count);
    printf("Most: %d at %s\n", aboard[most], names[most]);
    printf("Left behind: %d\n", t.left_behind);
    printf("Mean: %.2f\n", sum / count);
    printf("Occupancy: %ld %%\n", lround(100 * sum / count / t.places));
    printf("Repeated: %d\n", repeated);
    printf("Back: ");
    for (int i = count - 1; i >= 0; i--)
        printf("%s%s", names[i], i ? "-" : "\n");
    return 0;
}
