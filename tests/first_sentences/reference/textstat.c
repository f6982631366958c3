#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

int main(int argc, char *argv[]) {
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "Usage: textstat FILE [WORD]\n");
        return 1;
    }
    FILE *file = fopen(argv[1], "r");
    if (file == NULL) {
        fprintf(stderr, "Cannot open %s\n", argv[1]);
        return 2;
    }
    int lines = 0, words = 0, letters = 0, found = 0;
    char word[64], longest[64] = "";
    int c, before = '\n', length = 0;
    while ((c = fgetc(file)) != EOF) {
        if (before == '\n')
            lines++;
        before = c;
        if (!isspace(c)) {
            word[length++] = c;
            continue;
        }
        if (length > 0) {
            word[length] = '\0';
            words++;
            letters += length;
            if (length > (int)strlen(longest))
                strcpy(longest, word);
            if (argc == 3 && strcasecmp(word, argv[2]) == 0)
                found++;
        }
        length = 0;
    }
    if (length > 0) {
        word[length] = '\0';
        words++;
        letters += length;
        if (length > (int)strlen(longest))
            strcpy(longest, word);
        if (argc == 3 && strcasecmp(word, argv[2]) == 0)
            found++;
    }
    fclose(file);
    if (words == 0) {
        printf("No words\n");
        return 0;
    }
    printf("Lines: %d\n", lines);
    printf("Words: %d\n", words);
    printf("Longest word: %s\n", longest);
    printf("Average length: %.2f\n", (double)letters / words);
    if (argc == 3)
        printf("%s: %d\n", argv[2], found);
    return 0;
}
