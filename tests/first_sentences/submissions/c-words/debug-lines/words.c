#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    char *word;
    struct node *next;
};

struct node *push(struct node *head, const char *word) {
    struct node *new = malloc(sizeof(struct node));
    new->word = malloc(strlen(word) + 1);
    strcpy(new->word, word);
    new->next = head;
    return new;
}

int length(struct node *list) {
    if (list == NULL)
        return 0;
    return 1 + length(list->next);
}

int letters(struct node *list) {
    int sum = 0;
    while (list != NULL) {
        sum += strlen(list->word);
        list = list->next;
    }
    return sum;
}

void print(struct node *list) {
    while (list != NULL) {
        printf("%s\n", list->word);
        list = list->next;
    }
}

void release(struct node *list) {
    while (list != NULL) {
        struct node *next = list->next;
        free(list->word);
        free(list);
        list = next;
    }
}

int main(void) {
    char word[1000];
    struct node *list = NULL;
    while (scanf("%999s", word) == 1) {
        list = push(list, word);
        printf("DEBUG pushed %s\n", word);
    }
    if (list == NULL) {
        printf("No words\n");
        return 0;
    }
    print(list);
    int n = length(list);
    printf("Words: %d\n", n);
    printf("Average length: %d\n", letters(list) / n);
    release(list);
    return 0;
}
