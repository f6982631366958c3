#include <stdio.h>

void sort(int *values, int n) {
    for (int i = 0; i < n - 1; i++) {
        for (int j = 0; j < n - 1 - i; j++) {
            if (values[j] > values[j + 1]) {
                int other = values[j];
                values[j] = values[j + 1];
                values[j + 1] = other;
            }
        }
    }
}

double median(int *values, int n) {
    return values[n / 2];
}

int main(void) {
    int values[100];
    int n = 0;
    int passed = 0;
    while (n < 100 && scanf("%d", &values[n]) == 1) {
        if (values[n] >= 50) {
            passed++;
        }
        n++;
    }
    if (n == 0) {
        printf("No grades\n");
        return 0;
    }
    sort(values, n);
    for (int i = 0; i < n; i++) {
        printf(i == 0 ? "%d" : " %d", values[i]);
    }
    printf("\nMedian: %.1f\n", median(values, n));
    printf("Passed: %d\n", passed);
    return 0;
}
