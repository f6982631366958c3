#include <stdio.h>
#include <string.h>
#include <strings.h>

int count_lines(FILE *file) {
    int c, lines = 0, last = '\n';
    while ((c = fgetc(file)) != EOF) {
        if (c == '\n')
            lines++;
        last = c;
    }
    if (last != '\n')
        lines++;
    return lines;
}

int main(int argc, char *argv[]) {
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "Usage: textstat FILE [WORD]\n");
        return 1;
    }
    FILE *file = fopen(argv[1], "r");
    if (file == NULL) {
        fprintf(stderr, "Cannot open %s\n", argv[1]);
        return 2;
    }
    int lines = count_lines(file);
    rewind(file);
    char word[10];
    char longest[100] = "";
    int words = 0;
    int total = 0;
    int times = 0;
    while (fscanf(file, "%s", word) == 1) {
        words++;
        total += strlen(word);
        if (strlen(word) > strlen(longest))
            strcpy(longest, word);
        if (argc == 3 && strcasecmp(word, argv[2]) == 0)
            times++;
    }
    fclose(file);
    if (words == 0) {
        printf("No words\n");
        return 0;
    }
    printf("Lines: %d\n", lines);
    printf("Words: %d\n", words);
    printf("Longest word: %s\n", longest);
    printf("Average length: %.2f\n", (double)total / words);
    if (argc == 3)
        printf("%s: %d\n", argv[2], times);
    return 0;
}
