#include <stdio.h>
#include <string.h>
#include <math.h>

struct stop
{
    char name[40];
    int aboard;
};

int main(void)
{
    struct stop s[100];
    int n = 0, cap, on, off, a = 0, total = 0;

    scanf("%d", &cap);
    while (scanf("%s", s[n].name) == 1)
    {
        scanf("%d", &off);
        scanf("%d", &on);
        if (off > a)
        {
            printf("%s: error\n", s[n].name);
        }
        else
        {
            int behind = 0;
            a -= off;
            a += on;
            if (a > cap)
            {
                behind = a - cap;
                a = cap;
            }
            printf("%s: %d aboard", s[n].name, a);
            if (behind != 0)
            {
                printf(", %d left behind", behind);
            }
            printf("\n");
            total += behind;
            s[n].aboard = a;
            n++;
        }
    }

    if (n == 0)
    {
        printf("no stops\n");
        return 0;
    }

    int max = 0;
    int rep = 0;
    double mean = 0;
    for (int i = 0; i < n; i++)
    {
        mean += s[i].aboard;
        if (s[i].aboard > s[max].aboard)
        {
            max = i;
        }
        for (int j = 0; j < i; j++)
        {
            if (strcmp(s[j].name, s[i].name) == 0)
            {
                rep++;
                break;
            }
        }
    }
    mean = mean / n;
    printf("Stops: %d\n", n);
    printf("Most: %d at %s\n", s[max].aboard, s[max].name);
    printf("Left behind: %d\n", total);
    printf("Mean: %.2f\n", mean);
    double occupancy = round(mean / cap * 100);
    printf("Occupancy: %d %%\n", occupancy);
    printf("Repeated: %d\n", rep);
    printf("Back: ");
    for (int i = n - 1; i >= 0; i--)
    {
        printf("%s", s[i].name);
        if (i > 0)
        {
            printf("-");
        }
    }
    printf("\n");
    return 0;
}
