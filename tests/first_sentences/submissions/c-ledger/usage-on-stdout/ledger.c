#include <stdio.h>
#include <string.h>

struct person {
    char name[21];
    int cents;
};

int main(int argc, char *argv[]) {
    struct person people[100];
    int count = 0;
    int total = 0;
    int debts = 0;
    int found = 0;
    char name[21];
    int cents;
    if (argc < 2) {
        printf("Usage: ledger FILE [NAME]\n");
        return 2;
    }
    FILE *file = fopen(argv[1], "r");
    if (file == NULL) {
        fprintf(stderr, "Cannot open %s\n", argv[1]);
        return 1;
    }
    while (fscanf(file, "%20s %d", name, &cents) == 2) {
        int i = 0;
        while (i < count && strcmp(people[i].name, name) != 0) {
            i++;
        }
        if (i == count) {
            strcpy(people[i].name, name);
            people[i].cents = 0;
            count++;
        }
        people[i].cents += cents;
        if (argc > 2 && strcmp(argv[2], name) == 0) {
            printf("%.2f\n", cents / 100.0);
            found = 1;
        }
    }
    fclose(file);
    if (argc > 2) {
        if (!found) {
            printf("No bookings of %s\n", argv[2]);
            return 1;
        }
        for (int i = 0; i < count; i++) {
            if (strcmp(people[i].name, argv[2]) == 0) {
                printf("Balance: %.2f\n", people[i].cents / 100.0);
            }
        }
        return 0;
    }
    for (int i = 0; i < count; i++) {
        printf("%-12s%10.2f\n", people[i].name, people[i].cents / 100.0);
        total += people[i].cents;
        if (people[i].cents < 0) {
            debts++;
        }
    }
    printf("%-12s%10.2f\n", "Total:", total / 100.0);
    printf("In debt: %d\n", debts);
    return 0;
}
