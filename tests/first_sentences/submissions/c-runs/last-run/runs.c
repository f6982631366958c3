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
    int count = 1;
    for (int i = 1; i < length; i++) {
        if (text[i] == text[i - 1]) {
            count++;
        } else {
            printf("%d%c", count, text[i - 1]);
            if (count > longest) {
                longest = count;
                most = text[i - 1];
            }
            runs++;
            count = 1;
        }
    }
    printf("\n");
    printf("Runs: %d\n", runs);
    printf("Longest: %c %d\n", most, longest);
    return 0;
}
