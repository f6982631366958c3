#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
};

static struct node *make(int value, struct node *next) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = next;
    return node;
}

int main(void) {
    struct node *first = NULL;
    char command[16];
    int number;
    while (scanf("%15s", command) == 1) {
        if (strcmp(command, "print") == 0) {
            printf("[");
            for (struct node *n = first; n; n = n->next)
                printf("%d%s", n->value, n->next ? ", " : "");
            printf("]\n");
        } else if (strcmp(command, "size") == 0) {
            int size = 0;
            for (struct node *n = first; n; n = n->next)
                size++;
            printf("%d\n", size);
        } else if (scanf("%d", &number) == 1) {
            struct node **place = &first;
            if (strcmp(command, "add") == 0) {
                while (*place)
                    place = &(*place)->next;
                *place = make(number, NULL);
            } else if (strcmp(command, "push") == 0) {
                first = make(number, first);
            } else if (strcmp(command, "remove") == 0) {
                while (*place && (*place)->value != number)
                    place = &(*place)->next;
                if (*place) {
                    struct node *old = *place;
                    *place = old->next;
                    free(old);
                } else {
                    printf("%d not found\n", number);
                }
            }
        }
    }
    while (first) {
        struct node *next = first->next;
        free(first);
        first = next;
    }
    return 0;
}
