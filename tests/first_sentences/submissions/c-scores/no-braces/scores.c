#include <stdio.h>
#include <string.h>

int main(void)
{
    char wanted[40];
    char name[40];
    int points, most;
    int found = 0, good = 0, count = 0;
    if (fgets(wanted, sizeof wanted, stdin) == NULL) {
        return 0;
    }
    wanted[strcspn(wanted, "\n")] = '\0';
    while (scanf("%39s %d %d", name, &points, &most) == 3) {
        int percent = points * 100 / most;
        printf("%s: %d%%", name, percent);
        if (percent >= 50)
            good++;
            printf(" passed");
        printf("\n");
        if (strcmp(name, wanted) == 0) {
            found = percent;
        }
        count++;
    }
    printf("%d of %d passed\n", good, count);
    printf("%s has %d%%\n", wanted, found);
    return 0;
}
