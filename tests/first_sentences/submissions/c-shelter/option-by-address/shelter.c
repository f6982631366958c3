#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct animal {
    char name[20];
    char kind[12];
    char size;
    int age;
};

char *size_name(char size)
{
    char *text = "unknown";
    switch (size) {
    case 's':
        text = "small";
        break;
    case 'm':
        text = "medium";
        break;
    case 'l':
        text = "large";
        break;
    }
    return text;
}

char *label(struct animal *one)
{
    char *text = malloc(80);
    sprintf(text, "%s (%s, %s)", one->name, one->kind, size_name(one->size));
    return text;
}

void birthday(struct animal *one)
{
    one->age = one->age + 1;
}

int main(int argc, char *argv[])
{
    struct animal *all = malloc(200 * sizeof(struct animal));
    struct animal one;
    int count = 0;
    int years = 0;
    if (argc == 2 && argv[1] == "--help") {
        printf("Usage: shelter < animals\n");
        return 0;
    }
    while (scanf("%19s %11s %c %d", one.name, one.kind, &one.size, &one.age) == 4) {
        if (strcmp(one.kind, "fish") == 0) {
            continue;
        }
        birthday(&one);
        all[count] = one;
        count++;
    }
    for (int i = 0; i < count; i++) {
        printf("%s: %d\n", label(&all[i]), all[i].age);
        years += all[i].age;
    }
    if (count > 0) {
        printf("Average age: %.2f\n", (double)years / count);
    } else {
        printf("No animals\n");
    }
    free(all);
    return 0;
}
