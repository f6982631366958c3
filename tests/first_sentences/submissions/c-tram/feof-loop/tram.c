#include <stdio.h>
#include <string.h>
#include <math.h>

int main()
{
    char names[100][31];
    int people[100];
    int n = 0;
    int places;
    int inside = 0;
    int left = 0;
    scanf("%d\n", &places);

    while (!feof(stdin))
    {
        char name[31];
        int off = 0, on = 0, k;
        scanf("%30s %d %d", name, &off, &on);
        if (off > inside)
        {
            printf("%s: error\n", name);
            continue;
        }
        inside -= off;
        inside += on;
        k = 0;
        if (inside > places)
        {
            k = inside - places;
            inside = places;
        }
        printf("%s: %d aboard", name, inside);
        if (k > 0)
            printf(", %d left behind", k);
        printf("\n");
        left += k;
        strcpy(names[n], name);
        people[n] = inside;
        n++;
    }

    if (n == 0)
    {
        printf("no stops\n");
        return 0;
    }
    int best = 0, i, j, rep = 0;
    double mean = 0;
    for (i = 0; i < n; i++)
    {
        mean += people[i];
        if (people[i] > people[best])
            best = i;
        for (j = 0; j < i; j++)
        {
            if (strcmp(names[i], names[j]) == 0)
            {
                rep++;
                break;
            }
        }
    }
    mean /= n;
    printf("Stops: %d\n", n);
    printf("Most: %d at %s\n", people[best], names[best]);
    printf("Left behind: %d\n", left);
    printf("Mean: %.2f\n", mean);
    printf("Occupancy: %d %%\n", (int)round(100 * mean / places));
    printf("Repeated: %d\n", rep);
    printf("Back: ");
    for (i = n - 1; i >= 0; i--)
        printf(i ? "%s-" : "%s\n", names[i]);
    return 0;
}
