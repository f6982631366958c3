#include <stdio.h>
#include <string.h>
#include <math.h>

#define MAX_STOPS 100
#define MAX_NAME 31

int main(void)
{
    char name[MAX_STOPS][MAX_NAME];
    int load[MAX_STOPS];
    int stops = 0, capacity = 0, now = 0, behind_total = 0, off, on;

    scanf("%d", &capacity);
    while (scanf("%s %d %d", name[stops], &off, &on) == 3)
    {
        if (off > now)
            printf("%s: error\n", name[stops]);
            continue;

        int behind = 0;
        now = now - off + on;
        if (now > capacity)
        {
            behind = now - capacity;
            now = capacity;
        }
        printf("%s: %d aboard", name[stops], now);
        if (behind > 0)
            printf(", %d left behind", behind);
        printf("\n");
        behind_total += behind;
        load[stops] = now;
        stops++;
    }

    if (stops == 0)
    {
        printf("no stops\n");
        return 0;
    }

    int sum = 0, most = load[0], where = 0, repeated = 0;
    for (int i = 0; i < stops; i++)
    {
        sum += load[i];
        if (load[i] > most)
        {
            most = load[i];
            where = i;
        }
        for (int j = 0; j < i; j++)
        {
            if (strcmp(name[i], name[j]) == 0)
            {
                repeated++;
                break;
            }
        }
    }
    double mean = (double)sum / stops;
    printf("Stops: %d\n", stops);
    printf("Most: %d at %s\n", most, name[where]);
    printf("Left behind: %d\n", behind_total);
    printf("Mean: %.2f\n", mean);
    printf("Occupancy: %.0f %%\n", round(mean / capacity * 100));
    printf("Repeated: %d\n", repeated);
    printf("Back: ");
    for (int i = stops - 1; i >= 0; i--)
    {
        printf("%s", name[i]);
        if (i != 0)
            printf("-");
    }
    printf("\n");
    return 0;
}
