#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main()
{
    char buf[256];
    int size = 8;
    int n = 0;
    int sum = 0;
    char **words = NULL;

    while (scanf("%255s", buf) != EOF)
    {
        if (n == size)
        {
            size = size * 2;
            words = realloc(words, size * sizeof(char *));
        }
        words[n] = strdup(buf);
        sum = sum + strlen(buf);
        n = n + 1;
    }
    if (n == 0)
    {
        puts("No words");
        return 0;
    }
    for (int i = n - 1; i >= 0; i--)
    {
        printf("%s\n", words[i]);
        free(words[i]);
    }
    printf("Words: %d\n", n);
    printf("Average length: %d\n", sum / n);
    free(words);
    return 0;
}
