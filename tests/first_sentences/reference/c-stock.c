#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct article {
    char name[21];
    double price;
    int quantity;
};

int find(struct article *stock, int n, const char *name)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(stock[i].name, name) == 0)
            return i;
    }
    return -1;
}

double value(const struct article *a)
{
    return a->price * a->quantity;
}

int compare(const void *x, const void *y)
{
    const struct article *a = x;
    const struct article *b = y;
    if (value(a) < value(b))
        return 1;
    if (value(a) > value(b))
        return -1;
    return strcmp(a->name, b->name);
}

int main(void)
{
    int n;
    scanf("%d", &n);
    struct article *stock = malloc((n + 1) * sizeof(struct article));
    char dearest[21] = "-";
    double highest = -1;
    for (int i = 0; i < n; i++) {
        scanf("%20s %lf %d", stock[i].name, &stock[i].price, &stock[i].quantity);
        if (stock[i].price > highest) {
            highest = stock[i].price;
            strcpy(dearest, stock[i].name);
        }
    }

    char name[21];
    int quantity;
    double income = 0;
    while (scanf("%20s %d", name, &quantity) == 2) {
        int at = find(stock, n, name);
        if (at == -1) {
            printf("no such article: %s\n", name);
        } else if (quantity > stock[at].quantity) {
            printf("not enough %s: %d left\n", name, stock[at].quantity);
        } else {
            stock[at].quantity -= quantity;
            income += quantity * stock[at].price;
            printf("sold %d %s\n", quantity, name);
        }
    }

    qsort(stock, n, sizeof(struct article), compare);
    double total = 0;
    int sold_out = 0;
    for (int i = 0; i < n; i++) {
        printf("%-20s%8.2f%5d\n", stock[i].name, stock[i].price, stock[i].quantity);
        total += value(&stock[i]);
        if (stock[i].quantity == 0)
            sold_out++;
    }
    printf("Total: %.2f\n", total);
    printf("Income: %.2f\n", income);
    printf("Sold out: %d\n", sold_out);
    printf("Dearest: %s\n", dearest);
    free(stock);
    return 0;
}
