#include <stdio.h>
#include <string.h>

#define MAX 100

struct visitor {
    char address[20];
    int requests;
};

int main(void) {
    struct visitor visitors[MAX];
    int count = 0;
    char address[20], method[10], path[100], largest_path[100] = "";
    int status, bytes;
    int requests = 0, errors = 0, largest = -1;
    long sum = 0;

    while (scanf("%19s %9s %99s %d %d", address, method, path, status, &bytes) == 5) {
        int i;
        requests++;
        sum += bytes;
        if (status >= 400) {
            errors++;
        }
        if (bytes > largest) {
            largest = bytes;
            strcpy(largest_path, path);
        }
        for (i = 0; i < count; i++) {
            if (strcmp(visitors[i].address, address) == 0) {
                break;
            }
        }
        if (i == count) {
            strcpy(visitors[count].address, address);
            visitors[count].requests = 0;
            count++;
        }
        visitors[i].requests++;
    }
    if (requests == 0) {
        printf("No requests\n");
        return 1;
    }
    int best = 0;
    for (int i = 1; i < count; i++) {
        if (visitors[i].requests > visitors[best].requests) {
            best = i;
        }
    }
    printf("Requests: %d\n", requests);
    printf("Errors: %d (%.1f %%)\n", errors, 100.0 * errors / requests);
    printf("Bytes: %ld\n", sum);
    printf("Largest: %s (%d bytes)\n", largest_path, largest);
    printf("Visitors: %d\n", count);
    printf("Busiest: %s (%d)\n", visitors[best].address, visitors[best].requests);
    return 0;
}
