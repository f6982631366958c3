#include <stdio.h>
#include <string.h>

#define MAX 100

struct Stop {
    char *name;
    int aboard;
};

int main() {
    struct Stop stops[MAX];
    char buffer[50];
    int capacity, off, on;
    int n = 0;
    int aboard = 0;
    int total_left = 0;
    int sum = 0;

    scanf("%d", &capacity);
    while (scanf("%s %d %d", buffer, &off, &on) == 3) {
        if (off > aboard) {
            printf("%s: error\n", buffer);
            continue;
        }
        aboard = aboard - off + on;
        int left = 0;
        if (aboard > capacity) {
            left = aboard - capacity;
            aboard = capacity;
        }
        if (left > 0) {
            printf("%s: %d aboard, %d left behind\n", buffer, aboard, left);
        } else {
            printf("%s: %d aboard\n", buffer, aboard);
        }
        total_left += left;
        sum += aboard;
        stops[n].name = buffer;
        stops[n].aboard = aboard;
        n++;
    }

    if (n == 0) {
        printf("no stops\n");
        return 0;
    }

    int most = 0;
    int repeated = 0;
    for (int i = 0; i < n; i++) {
        if (stops[i].aboard > stops[most].aboard) {
            most = i;
        }
        for (int j = 0; j < i; j++) {
            if (strcmp(stops[i].name, stops[j].name) == 0) {
                repeated++;
                break;
            }
        }
    }
    double mean = (double) sum / n;
    printf("Stops: %d\n", n);
    printf("Most: %d at %s\n", stops[most].aboard, stops[most].name);
    printf("Left behind: %d\n", total_left);
    printf("Mean: %.2f\n", mean);
    printf("Occupancy: %d %%\n", (int) (mean * 100 / capacity + 0.5));
    printf("Repeated: %d\n", repeated);
    printf("Back: ");
    for (int i = n - 1; i > 0; i--) {
        printf("%s-", stops[i].name);
    }
    printf("%s\n", stops[0].name);
    return 0;
}
