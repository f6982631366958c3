#include <stdio.h>
#include <string.h>

#define TWICE(x) ((x) + (x))

int sum(int numbers[], int count)
{
    int total = 0;
    for (int i = 0; i < count; i++) {
        total += numbers[i];
    }
    return total;
}

int main(void)
{
    int floors[6] = {0};
    char *name = NULL;
    int floor, even = 0;
    while (scanf("%39s %d", name, &floor) == 2 && floor >= 0 && floor < 6) {
        floors[floor]++;
        if ((floor & 1) == 0) {
            even++;
        }
        printf("%s to %d\n", name, floor);
    }
    printf("Rides: %d\n", sum(floors, 6));
    printf("Even: %d\n", even);
    printf("Cost: %d\n", 10 * TWICE(even));
    return 0;
}
