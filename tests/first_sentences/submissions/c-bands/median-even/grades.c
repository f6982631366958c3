#include <stdio.h>

void stars(char name, int count)
{
    printf("%c:", name);
    if (count > 0) {
        printf(" ");
    }
    for (int i = 0; i < count; i++) {
        printf("*");
    }
    printf("\n");
}

void sort(int a[], int n)
{
    for (int i = 0; i < n - 1; i++) {
        for (int j = 0; j < n - 1 - i; j++) {
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
        }
    }
}

int main()
{
    int marks[500];
    int n = 0;
    int x;
    int a = 0, b = 0, c = 0, d = 0, f = 0;
    int sum = 0;
    int lowest = 100;
    int highest = 0;
    while (scanf("%d", &x) == 1) {
        if (x < 0 || x > 100) {
            printf("ignored: %d\n", x);
        } else {
            marks[n] = x;
            n++;
            sum += x;
            if (x >= 90) {
                a++;
            } else if (x >= 80) {
                b++;
            } else if (x >= 70) {
                c++;
            } else if (x >= 60) {
                d++;
            } else {
                f++;
            }
            if (x < lowest) {
                lowest = x;
            }
            if (x > highest) {
                highest = x;
            }
        }
    }
    if (n == 0) {
        printf("no marks\n");
        return 0;
    }
    stars('A', a);
    stars('B', b);
    stars('C', c);
    stars('D', d);
    stars('F', f);
    double mean = (double) sum / n;
    int above = 0;
    for (int i = 0; i < n; i++) {
        if (marks[i] > mean) {
            above++;
        }
    }
    sort(marks, n);
    double median;
    if (n % 2 == 1) {
        median = marks[n / 2];
    } else {
        median = marks[n / 2];
    }
    printf("Marks: %d\n", n);
    printf("Mean: %.2f\n", mean);
    printf("Lowest: %d\n", lowest);
    printf("Highest: %d\n", highest);
    printf("Median: %.1f\n", median);
    printf("Above the mean: %d\n", above);
    return 0;
}
