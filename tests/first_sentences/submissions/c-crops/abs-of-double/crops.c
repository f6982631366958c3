#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

struct crop {
    char *name;
    char kind;
    double kg;
};

static int heavier(const void *a, const void *b) {
    const struct crop *x = a;
    const struct crop *y = b;
    if (x->kg < y->kg) {
        return 1;
    }
    if (x->kg > y->kg) {
        return -1;
    }
    return strcmp(x->name, y->name);
}

static struct crop *find(struct crop *list, int n, const char *name) {
    for (int i = 0; i < n; i++) {
        if (strcmp(list[i].name, name) == 0) {
            return &list[i];
        }
    }
    return NULL;
}

static const char *kind_name(char kind) {
    switch (kind) {
    case 'f':
    case 'F':
        return "fruit";
    case 'v':
    case 'V':
        return "vegetable";
    default:
        return "?";
    }
}

static void count_up(int *count) {
    (*count)++;
}

int main(void) {
    int n = 0;
    int room = 2;
    struct crop *list = malloc(room * sizeof(struct crop));
    char name[50];
    char kind;
    double kg;
    double total = 0;
    while (scanf("%49s %c %lf", name, &kind, &kg) == 3) {
        total += kg;
        struct crop *same = find(list, n, name);
        if (same != NULL) {
            same->kg += kg;
            continue;
        }
        if (n == room) {
            room *= 2;
            list = realloc(list, room * sizeof(struct crop));
        }
        list[n].name = malloc(strlen(name) + 1);
        strcpy(list[n].name, name);
        list[n].kind = kind;
        list[n].kg = kg;
        count_up(&n);
    }
    qsort(list, n, sizeof(struct crop), heavier);
    for (int i = 0; i < n; i++) {
        printf("%s (%s) %.1f kg\n", list[i].name, kind_name(list[i].kind), list[i].kg);
    }
    double gap = 0;
    if (n > 1) {
        gap = abs(list[1].kg - list[0].kg);
    }
    printf("Total: %.1f\n", total);
    printf("Gap: %.1f\n", gap);
    char all[1000] = "";
    for (int i = 0; i < n; i++) {
        strcat(all, list[i].name);
        if (i < n - 1) {
            strcat(all, "+");
        }
    }
    if (n == 0) {
        strcpy(all, "-");
    }
    printf("Names: %s\n", all);
    return 0;
}
