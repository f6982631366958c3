#include <ctype.h>
#include <stdio.h>
#include <string.h>

int is_vowel(char c) {
    c = tolower(c);
    return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
}

int main(void) {
    char line[300];
    int lines = 0;
    int palindromes = 0;
    int vowels = 0;
    int letters = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char plain[300];
        int length = 0;
        for (int i = 0; line[i] != '\0'; i++) {
            if (isalpha((unsigned char)line[i])) {
                plain[length] = tolower((unsigned char)line[i]);
                length++;
                letters++;
                if (is_vowel(line[i])) {
                    vowels++;
                }
            }
        }
        plain[length] = '\0';
        int same = 1;
        for (int i = 0; i < length / 2; i++) {
            if (plain[i] != plain[length - 1 - i]) {
                same = 0;
            }
        }
        if (length == 0) {
            printf("%s: no letters\n", line);
        } else if (same) {
            printf("%s: palindrome\n", line);
            palindromes++;
        } else {
            printf("%s: no palindrome, begins with %c\n", line, plain[0]);
        }
        lines++;
    }
    printf("Lines: %d\n", lines);
    printf("Palindromes: %d\n", palindromes);
    if (letters > 0) {
        printf("Vowels: %.1f %%\n", 100.0 * (vowels / letters));
    } else {
        printf("Vowels: none\n");
    }
    return 0;
}
