#include <stdio.h>

#define PRICE 9
#define MAXIMUM 90

static int cost_of(int seconds) {
    if (seconds < 6) {
        return 0;
    }
    return (seconds / 60 + 1) * PRICE;
}

int main(void) {
    int day, seconds;
    int current = -1, calls = 0, cost = 0;
    int total = 0, count = 0, capped = 0;
    int dearest = 0, highest = -1;
    int sum = 0;

    while (scanf("%d %d", &day, &seconds) == 2) {
        if (current != -1 && day != current) {
            if (cost > MAXIMUM) {
                cost = MAXIMUM;
                capped++;
            }
            printf("Day %d: %d calls, %d cents\n", current, calls, cost);
            total += cost;
            if (cost > highest) {
                highest = cost;
                dearest = current;
            }
            calls = 0;
            cost = 0;
        }
        current = day;
        calls++;
        cost += cost_of(seconds);
        sum += seconds;
        count++;
    }
    if (count == 0) {
        printf("No calls\n");
        return 0;
    }
    if (cost > MAXIMUM) {
        cost = MAXIMUM;
        capped++;
    }
    printf("Day %d: %d calls, %d cents\n", current, calls, cost);
    total += cost;
    if (cost > highest) {
        highest = cost;
        dearest = current;
    }
    printf("Total: %d cents\n", total);
    printf("Mean: %.1f seconds\n", (double)sum / count);
    printf("Dearest: day %d\n", dearest);
    printf("Capped: %d\n", capped);
    return 0;
}
