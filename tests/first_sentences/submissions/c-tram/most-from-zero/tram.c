#include <stdio.h>
#include <string.h>

int main(void)
{
    char names[100][31];
    int n = 0;
    int places, aboard = 0, total = 0, left_total = 0;
    int most = 0;
    char most_name[31] = "";
    int off, on, i, j, repeated = 0;

    scanf("%d", &places);
    while (scanf("%30s %d %d", names[n], &off, &on) == 3)
    {
        if (aboard < off)
        {
            printf("%s: error\n", names[n]);
            continue;
        }
        aboard = aboard - off;
        int left = 0;
        if (aboard + on > places)
        {
            left = aboard + on - places;
            on = places - aboard;
        }
        aboard = aboard + on;
        if (left == 0)
            printf("%s: %d aboard\n", names[n], aboard);
        else
            printf("%s: %d aboard, %d left behind\n", names[n], aboard, left);

        if (aboard > most)
        {
            most = aboard;
            strcpy(most_name, names[n]);
        }
        total += aboard;
        left_total += left;
        n++;
    }

    if (n == 0)
    {
        printf("no stops\n");
        return 0;
    }
    for (i = 0; i < n; i++)
        for (j = 0; j < i; j++)
            if (strcmp(names[i], names[j]) == 0)
            {
                repeated++;
                break;
            }

    float mean = (float)total / n;
    printf("Stops: %d\n", n);
    printf("Most: %d at %s\n", most, most_name);
    printf("Left behind: %d\n", left_total);
    printf("Mean: %.2f\n", mean);
    printf("Occupancy: %d %%\n", (int)(100 * mean / places + 0.5));
    printf("Repeated: %d\n", repeated);
    printf("Back: ");
    for (i = n - 1; i >= 0; i--)
    {
        printf("%s", names[i]);
        if (i > 0)
            printf("-");
    }
    printf("\n");
    return 0;
}
