#include <stdio.h>
#include <string.h>
#include <math.h>

typedef struct {
    char name[31];
    int load;
} Stop;

typedef struct {
    Stop stops[100];
    int size;
    int places;
    int left;
} Day;

static int repeated(const Day *day)
{
    int count = 0;
    for (int i = 1; i < day->size; i++) {
        int before = 0;
        for (int j = 0; j < i && !before; j++)
            before = strcmp(day->stops[i].name, day->stops[j].name) == 0;
        count += before;
    }
    return count;
}

static void print_summary(const Day *day)
{
    int most = 0, sum = 0;
    for (int i = 0; i < day->size; i++) {
        sum += day->stops[i].load;
        if (day->stops[i].load > day->stops[most].load)
            most = i;
    }
    printf("Stops: %d\n", day->size);
    printf("Most: %d at %s\n", day->stops[most].load, day->stops[most].name);
    printf("Left behind: %d\n", day->left);
    printf("Mean: %.2f\n", (double)sum / day->size);
    printf("Occupancy: %.0f %%\n", round(100.0 * day->stops[most].load / day->places));
    printf("Repeated: %d\n", repeated(day));
    printf("Back: ");
    for (int i = day->size - 1; i >= 0; i--)
        printf("%s%s", day->stops[i].name, i > 0 ? "-" : "\n");
}

int main(void)
{
    static Day day;
    int aboard = 0, off, on;
    char name[31];

    scanf("%d", &day.places);
    while (scanf("%30s %d %d", name, &off, &on) == 3) {
        if (off > aboard) {
            printf("%s: error\n", name);
            continue;
        }
        int room = day.places - (aboard - off);
        int in = on < room ? on : room;
        aboard += in - off;
        printf("%s: %d aboard", name, aboard);
        if (in < on)
            printf(", %d left behind", on - in);
        printf("\n");
        day.left += on - in;
        strcpy(day.stops[day.size].name, name);
        day.stops[day.size].load = aboard;
        day.size++;
    }
    if (day.size == 0)
        printf("no stops\n");
    else
        print_summary(&day);
    return 0;
}
