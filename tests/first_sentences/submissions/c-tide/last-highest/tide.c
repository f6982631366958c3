#include <stdio.h>

#define MOST 200

int main(void) {
    int hour, minute;
    double height;
    int minutes[MOST];
    double heights[MOST];
    int count = 0;
    while (count < MOST && scanf("%d:%d %lf", &hour, &minute, &height) == 3) {
        minutes[count] = hour * 60 + minute;
        heights[count] = height;
        count++;
    }
    if (count == 0) {
        fprintf(stderr, "No readings\n");
        return 2;
    }
    double lowest = heights[0], highest = heights[0], sum = 0;
    int high_at = minutes[0];
    int above = 0;
    for (int i = 0; i < count; i++) {
        if (heights[i] >= highest) {
            highest = heights[i];
            high_at = minutes[i];
        }
        if (heights[i] < lowest) {
            lowest = heights[i];
        }
        sum += heights[i];
    }
    for (int i = 1; i < count; i++) {
        double change = heights[i] - heights[i - 1];
        printf("%02d:%02d %+.2f\n", minutes[i] / 60, minutes[i] % 60, change);
        if (heights[i - 1] >= 2.0) {
            above += minutes[i] - minutes[i - 1];
        }
    }
    printf("Highest: %.2f at %02d:%02d\n", highest, high_at / 60, high_at % 60);
    printf("Lowest: %.2f\n", lowest);
    printf("Range: %.2f\n", highest - lowest);
    printf("Mean: %.2f\n", sum / count);
    printf("Above 2 m: %d min\n", above);
    return 0;
}
