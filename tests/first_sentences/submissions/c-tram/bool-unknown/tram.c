#include <stdio.h>
#include <string.h>

typedef struct {
    char name[32];
    int passengers;
} Stop;

bool isRepeated(Stop stops[], int index) {
    for (int i = 0; i < index; i++) {
        if (strcmp(stops[i].name, stops[index].name) == 0) {
            return true;
        }
    }
    return false;
}

int main() {
    Stop stops[100];
    int numberOfStops = 0;
    int capacity;
    int passengers = 0, leftBehind = 0;
    int off, on;
    char name[32];

    scanf("%d", &capacity);
    while (scanf("%s %d %d", name, &off, &on) == 3) {
        if (off > passengers) {
            printf("%s: error\n", name);
            continue;
        }
        passengers -= off;
        int free = capacity - passengers;
        if (on > free) {
            passengers = capacity;
            leftBehind += on - free;
            printf("%s: %d aboard, %d left behind\n", name, passengers, on - free);
        } else {
            passengers += on;
            printf("%s: %d aboard\n", name, passengers);
        }
        strcpy(stops[numberOfStops].name, name);
        stops[numberOfStops].passengers = passengers;
        numberOfStops++;
    }

    if (numberOfStops == 0) {
        printf("no stops\n");
        return 0;
    }

    int sum = 0, maxIndex = 0, repeated = 0;
    for (int i = 0; i < numberOfStops; i++) {
        sum += stops[i].passengers;
        if (stops[i].passengers > stops[maxIndex].passengers) {
            maxIndex = i;
        }
        if (isRepeated(stops, i)) {
            repeated++;
        }
    }
    double mean = (double) sum / numberOfStops;

    printf("Stops: %d\n", numberOfStops);
    printf("Most: %d at %s\n", stops[maxIndex].passengers, stops[maxIndex].name);
    printf("Left behind: %d\n", leftBehind);
    printf("Mean: %.2f\n", mean);
    printf("Occupancy: %d %%\n", (int) (100 * mean / capacity + 0.5));
    printf("Repeated: %d\n", repeated);
    printf("Back: ");
    for (int i = numberOfStops - 1; i >= 0; i--) {
        printf("%s", stops[i].name);
        printf("%s", i == 0 ? "\n" : "-");
    }
    return 0;
}
