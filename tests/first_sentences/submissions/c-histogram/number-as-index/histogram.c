#include <stdio.h>

int main(void)
{
    int counts[10] = {0};
    int number, total = 0, sum = 0, most = 0;

    while (scanf("%d", &number) == 1) {
        if (number < 0 || number > 99) {
            printf("%d is not from 0 to 99\n", number);
            continue;
        }
        counts[number]++;
        total++;
        sum += number;
    }
    for (int i = 0; i < 10; i++) {
        if (counts[i] > 0) {
            printf("%d-%d: ", i * 10, i * 10 + 9);
            for (int j = 0; j < counts[i]; j++)
                printf("*");
            printf("\n");
        }
        if (counts[i] > counts[most])
            most = i;
    }
    printf("Numbers: %d\n", total);
    if (total > 0) {
        printf("Mean: %.1f\n", (double)sum / total);
        printf("Most: %d-%d\n", most * 10, most * 10 + 9);
    }
    return 0;
}
