#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char line[1000];
    int counts[26] = {0};
    int letters = 0;
    int words = 0;
    int shift;
    fgets(line, sizeof line, stdin);
    shift = atoi(line) % 26;
    if (shift < 0) {
        shift += 26;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        int in_word = 0;
        for (int i = 0; line[i] != '\0'; i++) {
            char c = line[i];
            if (c >= 'a' && c <= 'z') {
                putchar((c - 'a' + shift) % 26 + 'a');
                counts[c - 'a']++;
                letters++;
            } else if (c >= 'A' && c <= 'Z') {
                putchar((c - 'A' + shift) % 26 + 'A');
                counts[c - 'A']++;
                letters++;
            } else {
                putchar(c);
            }
            if (isspace(c)) {
                words++;
            }
        }
    }
    int most = 0;
    for (int i = 1; i < 26; i++) {
        if (counts[i] > counts[most]) {
            most = i;
        }
    }
    printf("Letters: %d\n", letters);
    printf("Most: %c\n", 'a' + most);
    printf("Words: %d\n", words);
    return 0;
}
