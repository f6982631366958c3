// Statistics of marks
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX 100

struct student {
    char name[50];
    int mark;
};

void usage(void) {
    fprintf(stderr, "Usage: marks FILE\n");
    exit(1);
}

int read_students(FILE *f, struct student *s) {
    int n = 0;
    while (fscanf(f, "%49s %d", s[n].name, &s[n].mark) == 2) {
        n++;
    }
    return n;
}

double average(struct student *s, int n) {
    double sum = 0;
    int i = 0;
    for (i = 0; i < n; i++);
    {
        sum = sum + s[i].mark;
    }
    return sum / n;
}

int best(struct student *s, int n) {
    int b = 0;
    for (int i = 1; i < n; i++)
        if (s[i].mark > s[b].mark)
            b = i;
    return b;
}

int passed(struct student *s, int n) {
    int p = 0;
    for (int i = 0; i < n; i++)
        if (s[i].mark >= 50)
            p++;
    return p;
}

int main(int argc, char **argv) {
    struct student students[MAX];
    int n;
    if (argc != 2)
        usage();
    FILE *f = fopen(argv[1], "r");
    if (!f) {
        fprintf(stderr, "Cannot read %s\n", argv[1]);
        exit(2);
    }
    n = read_students(f, students);
    fclose(f);
    if (n == 0) {
        printf("No marks\n");
        return 0;
    }
    int b = best(students, n);
    printf("Students: %d\n", n);
    printf("Best: %s (%d)\n", students[b].name, students[b].mark);
    printf("Average: %.2f\n", average(students, n));
    printf("Passed: %d\n", passed(students, n));
    return 0;
}
