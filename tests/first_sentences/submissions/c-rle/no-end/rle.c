#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINE 200

void encode(const char *text, char *result) {
    int length = strlen(text);
    result[0] = '\0';
    int i = 0;
    while (i < length) {
        int run = 1;
        while (i + run < length && text[i + run] == text[i]) {
            run++;
        }
        char part[20];
        sprintf(part, "%d%c", run, text[i]);
        strcat(result, part);
        i += run;
    }
}

void decode(const char *text, char *result) {
    int place = 0;
    int number = 0;
    for (int i = 0; text[i] != '\0'; i++) {
        if (isdigit(text[i])) {
            number = number * 10 + (text[i] - '0');
        } else {
            for (int j = 0; j < number; j++) {
                result[place] = text[i];
                place++;
            }
            number = 0;
        }
    }
}

int main(void) {
    char line[MAX_LINE];
    char result[10 * MAX_LINE];
    int lines = 0;
    int before = 0;
    int after = 0;
    while (fgets(line, MAX_LINE, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '\0') {
            continue;
        }
        if (isdigit(line[0])) {
            decode(line, result);
        } else {
            encode(line, result);
        }
        printf("%s\n", result);
        lines++;
        before += strlen(line);
        after += strlen(result);
    }
    printf("Lines: %d\n", lines);
    printf("Before: %d\n", before);
    printf("After: %d\n", after);
    if (before > 0) {
        printf("Ratio: %.2f\n", (double)after / before);
    } else {
        printf("Ratio: none\n");
    }
    return 0;
}
