#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    char *word;
    struct node *next;
};

static struct node *push(struct node *list, const char *word)
{
    struct node *node = malloc(sizeof *node);
    node->word = malloc(strlen(word) + 1);
    strcpy(node->word, word);
    node->next = list;
    return node;
}

int main(int argc, char *argv[])
{
    struct node *list = NULL;
    for (int i = 1; i < argc; i++) {
        list = push(list, argv[i]);
    }
    while (list != NULL) {
        struct node *next = list->next;
        puts(list->word);
        free(list->word);
        free(list);
        list = next;
    }
    return 0;
}
