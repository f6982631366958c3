#include <stdio.h>

#define DAYS 32

int main(void) {
    int calls[DAYS] = {0};
    int cost[DAYS] = {0};
    int day, seconds;
    int count = 0, total = 0, capped = 0, dearest = -1;
    double sum = 0;

    while (scanf("%d%d", &day, &seconds) != EOF) {
        int minutes = seconds / 60;
        if (seconds % 60 != 0) {
            minutes = minutes + 1;
        }
        if (seconds >= 6) {
            cost[day] += minutes * 9;
        }
        calls[day]++;
        sum += seconds;
        count++;
    }
    if (count == 0) {
        puts("No calls");
        return 0;
    }
    for (int i = 0; i < DAYS; i++) {
        if (calls[i] == 0) {
            continue;
        }
        if (cost[i] > 90) {
            cost[i] = 90;
            capped++;
        }
        printf("Day %d: %d calls, %d cents\n", i, calls[i], cost[i]);
        total += cost[i];
        if (cost[i] > dearest) {
            dearest = cost[i];
        }
    }
    printf("Total: %d cents\n", total);
    printf("Mean: %.1f seconds\n", sum / count);
    printf("Dearest: day %d\n", dearest);
    printf("Capped: %d\n", capped);
    return 0;
}
