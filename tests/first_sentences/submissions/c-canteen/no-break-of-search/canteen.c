#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char id[10];
    int cents;
} Card;

int compare(const void *a, const void *b) {
    const Card *x = (const Card *)a;
    const Card *y = (const Card *)b;
    return strcmp(x->id, y->id);
}

Card *find(Card cards[], int n, const char *id) {
    int i;
    for (i = 0; i < n; i++) {
        if (strcmp(cards[i].id, id) == 0) {
            return &cards[i];
        }
        return NULL;
    }
    return NULL;
}

void change(Card *card, int cents) {
    card->cents += cents;
}

int main(void) {
    int n;
    char word[10];
    char id[10];
    int cents;
    int paid = 0;
    scanf("%d", &n);
    Card *cards = malloc(n * sizeof(Card));
    for (int i = 0; i < n; i++) {
        scanf("%9s %d", cards[i].id, &cards[i].cents);
    }
    qsort(cards, n, sizeof(Card), compare);
    while (scanf("%9s %9s %d", word, id, &cents) == 3) {
        Card *card = find(cards, n, id);
        if (card == NULL) {
            printf("%s: unknown\n", id);
            continue;
        }
        if (strcmp(word, "load") == 0) {
            change(card, cents);
        } else if (cents > card->cents) {
            printf("%s: not enough\n", id);
        } else {
            change(card, -cents);
            paid += cents;
        }
    }
    int best = 0;
    for (int i = 0; i < n; i++) {
        printf("%s %d.%02d\n", cards[i].id, cards[i].cents / 100, cards[i].cents % 100);
        if (cards[i].cents > cards[best].cents) {
            best = i;
        }
    }
    printf("Paid: %d.%02d\n", paid / 100, paid % 100);
    printf("Highest: %s\n", cards[best].id);
    free(cards);
    return 0;
}
