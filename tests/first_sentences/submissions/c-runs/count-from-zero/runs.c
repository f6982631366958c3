#include <stdio.h>
#include <string.h>

int main(void) {
    char text[1000];
    if (fgets(text, sizeof text, stdin) == NULL) {
        text[0] = 0;
    }
    text[strcspn(text, "\n")] = 0;
    int length = strlen(text);
    int runs = 0, longest = 0;
    char most = '-';
    int i = 0;
    while (i < length) {
        int count = 1;
        while (i + count < length && text[i + count] == text[i]) {
            count++;
        }
        printf("%d%c", count - 1, text[i]);
        if (count > longest) {
            longest = count;
            most = text[i];
        }
        runs++;
        i += count;
    }
    printf("\n");
    printf("Runs: %d\n", runs);
    printf("Longest: %c %d\n", most, longest);
    return 0;
}
