#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    int marks[1000];
    int n = 0;
    int mark;
    int bands[5] = {0};
    const char *names = "ABCDF";
    while (scanf("%d", &mark) == 1) {
        if (mark < 0 || mark > 100) {
            printf("ignored: %d\n", mark);
            continue;
        }
        marks[n++] = mark;
        bands[mark >= 90 ? 0 : mark >= 80 ? 1 : mark >= 70 ? 2 : mark >= 60 ? 3 : 4]++;
    }
    if (n == 0) {
        printf("no marks\n");
        return 0;
    }
    for (int band = 0; band < 5; band++) {
        printf("%c:", names[band]);
        for (int i = 0; i < bands[band]; i++)
            printf("%s*", i == 0 ? " " : "");
        printf("\n");
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += marks[i];
    double mean = sum / n;
    int above = 0;
    for (int i = 0; i < n; i++)
        if (marks[i] > mean)
            above++;
    qsort(marks, n, sizeof marks[0], compare);
    double median = n % 2 ? marks[n / 2] : (marks[n / 2 - 1] + marks[n / 2]) / 2.0;
    printf("Marks: %d\nMean: %.2f\nLowest: %d\nHighest: %d\nMedian: %.1f\nAbove the mean: %d\n", n, mean, marks[0], marks[n - 1], median, above);
    return 0;
}
