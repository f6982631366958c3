#include <string.h>

int main(int argc, char *argv[]) {
    if (argc != 2) {
        fprintf(stderr, "Usage: marks FILE\n");
        return 1;
    }
    FILE *in = fopen(argv[1], "r");
    if (in == NULL) {
        fprintf(stderr, "Cannot read %s\n", argv[1]);
        return 2;
    }
    char name[100];
    char best[100] = "";
    int mark = 0;
    int max = -1;
    int count = 0;
    int sum = 0;
    int passed = 0;

    while (fscanf(in, "%99s %d", name, &mark) == 2) {
        count++;
        sum += mark;
        if (mark >= 50) {
            passed++;
        }
        if (mark > max) {
            max = mark;
            strcpy(best, name);
        }
    }
    fclose(in);
    if (count == 0) {
        printf("No marks\n");
        return 0;
    }
    printf("Students: %d\n", count);
    printf("Best: %s (%d)\n", best, max);
    printf("Average: %.2f\n", (double) sum / count);
    printf("Passed: %d\n", passed);
    return 0;
}
