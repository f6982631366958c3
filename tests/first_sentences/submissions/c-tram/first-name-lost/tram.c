#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    char name[31];
    int aboard;
    struct node *next;
};

int main(void)
{
    struct node *head = NULL;
    int places, off, on, aboard = 0, n = 0, left = 0, sum = 0, repeated = 0;
    int most = -1;
    char most_name[31], name[31];

    scanf("%d", &places);
    while (scanf("%30s %d %d", name, &off, &on) == 3) {
        if (off > aboard) {
            printf("%s: error\n", name);
            continue;
        }
        aboard = aboard - off + on;
        if (aboard > places) {
            printf("%s: %d aboard, %d left behind\n", name, places, aboard - places);
            left += aboard - places;
            aboard = places;
        } else {
            printf("%s: %d aboard\n", name, aboard);
        }
        for (struct node *p = head; p != NULL; p = p->next) {
            if (strcmp(p->name, name) == 0) {
                repeated++;
                break;
            }
        }
        struct node *new = malloc(sizeof(struct node));
        strcpy(new->name, name);
        new->aboard = aboard;
        new->next = head;
        head = new;
        if (aboard > most) {
            most = aboard;
            strcpy(most_name, name);
        }
        sum += aboard;
        n++;
    }
    if (head == NULL) {
        printf("no stops\n");
        return 0;
    }
    printf("Stops: %d\n", n);
    printf("Most: %d at %s\n", most, most_name);
    printf("Left behind: %d\n", left);
    printf("Mean: %.2f\n", (float) sum / n);
    printf("Occupancy: %d %%\n", (int) (100.0 * sum / n / places + 0.5));
    printf("Repeated: %d\n", repeated);
    printf("Back: %s", head->name);
    struct node *p = head->next;
    while (p != NULL && p->next != NULL) {
        printf("-%s", p->name);
        p = p->next;
    }
    printf("\n");
    while (head != NULL) {
        p = head->next;
        free(head);
        head = p;
    }
    return 0;
}
