#include <stdio.h>
#include <string.h>

int main(void) {
    char name[32];
    int points[64][3];
    char names[64][32];
    int count = 0;
    int a, b, c;
    while (count < 64 && scanf("%31s %d %d %d", name, &a, &b, &c) == 4) {
        strcpy(names[count], name);
        points[count][0] = a;
        points[count][1] = b;
        points[count][2] = c;
        count++;
    }
    int winner = -1, best = -1, perfect = 0, all = 0;
    for (int i = 0; i < count; i++) {
        int sum = 0, least = points[i][0];
        for (int j = 0; j < 3; j++) {
            sum += points[i][j];
            if (points[i][j] < least) {
                least = points[i][j];
            }
        }
        int result = sum - least;
        printf("%-8s %3d %3d %3d %4d\n", names[i], points[i][0], points[i][1], points[i][2], result);
        if (result >= best) {
            best = result;
            winner = i;
        }
        if (result == 20) {
            perfect++;
        }
        all += result;
    }
    printf("Players: %d\n", count);
    printf("Perfect: %d\n", perfect);
    if (count > 0) {
        printf("Winner: %s with %d\n", names[winner], best);
        printf("Average: %.1f\n", (double)all / count);
    }
    return 0;
}
