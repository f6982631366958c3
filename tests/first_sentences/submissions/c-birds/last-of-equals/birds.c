#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define MAX 80

struct item {
    char name[21];
    int count;
};

int main(void) {
    struct item items[MAX];
    int known = 0;
    char name[21];
    int count;
    while (scanf("%20s %d", name, &count) == 2) {
        int at = -1;
        for (int i = 0; i < known; i++) {
            if (strcmp(items[i].name, name) == 0) {
                at = i;
            }
        }
        if (at < 0) {
            at = known++;
            strcpy(items[at].name, name);
            items[at].count = 0;
        }
        items[at].count += count;
    }
    int total = 0;
    int best = 0;
    for (int i = 0; i < known; i++) {
        printf("%s: %d\n", items[i].name, items[i].count);
        total += items[i].count;
        if (items[i].count >= items[best].count) {
            best = i;
        }
    }
    printf("Kinds: %d\n", known);
    printf("Total: %d\n", total);
    if (known > 0) {
        printf("Best: %s\n", items[best].name);
        printf("Share: %.1f%%\n", 100.0 * items[best].count / total);
    }
    return 0;
}
