#include <stdio.h>

int main(void)
{
    double km[100];
    int number[100];
    double d, sum = 0;
    int m, n = 0, read = 0, minutes = 0;
    int over = 0, shorter = 0, streak = 0, run = 0, longest = 0;
    int i;

    while (scanf("%lf %d", &d, &m) == 2) {
        read++;
        if (m <= 0) {
            printf("Ride %d: ignored\n", read);
            continue;
        }
        printf("Ride %d: %.2f km/h\n", read, 60 / m * d);
        km[n] = d;
        number[n] = read;
        n++;
        sum += d;
        minutes += m;
    }
    if (n == 0) {
        printf("No rides\n");
        return 0;
    }
    for (i = 0; i < n; i++) {
        if (km[i] > km[longest])
            longest = i;
        if (km[i] > 30)
            over++;
        if (km[i] < sum / n)
            shorter++;
        if (i > 0 && km[i] > km[i - 1])
            run++;
        else
            run = 1;
        if (run > streak)
            streak = run;
    }
    printf("Rides: %d\n", n);
    printf("Distance: %.1f km\n", sum);
    printf("Time: %d:%02d h\n", minutes / 60, minutes % 60);
    printf("Average: %.2f km/h\n", sum * 60 / minutes);
    printf("Longest: ride %d (%.2f km)\n", number[longest], km[longest]);
    printf("Over 30 km: %d\n", over);
    printf("Shorter than the mean: %d\n", shorter);
    printf("Streak: %d\n", streak);
    return 0;
}
