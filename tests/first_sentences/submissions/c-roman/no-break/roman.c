#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int value(char sign)
{
    int result = 0;
    switch (sign) {
    case 'I':
        result = 1;
    case 'V':
        result = 5;
    case 'X':
        result = 10;
    case 'L':
        result = 50;
    case 'C':
        result = 100;
    case 'D':
        result = 500;
    case 'M':
        result = 1000;
    }
    return result;
}

int from_roman(const char *text)
{
    int total = 0;
    int length = strlen(text);
    for (int i = 0; i < length; i++) {
        if (i + 1 < length && value(text[i + 1]) > value(text[i]))
            total -= value(text[i]);
        else
            total += value(text[i]);
    }
    return total;
}

void to_roman(int number, char *result)
{
    const char *signs[] = {"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"};
    int values[] = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
    result[0] = '\0';
    for (int i = 0; i < 13; i++) {
        while (number >= values[i]) {
            strcat(result, signs[i]);
            number -= values[i];
        }
    }
}

int main(void)
{
    char word[100];
    char numeral[100];
    int count = 0, sum = 0;
    int largest = 0;

    while (scanf("%99s", word) == 1) {
        int number;
        if (isdigit(word[0])) {
            number = atoi(word);
            if (number < 1 || number > 3999) {
                printf("%s is out of range\n", word);
                continue;
            }
            to_roman(number, numeral);
            printf("%d = %s\n", number, numeral);
        } else {
            number = from_roman(word);
            printf("%s = %d\n", word, number);
        }
        count++;
        sum += number;
        if (number > largest)
            largest = number;
    }

    printf("Numbers: %d\n", count);
    if (count > 0) {
        to_roman(largest, numeral);
        printf("Largest: %s\n", numeral);
        printf("Mean: %.2f\n", (double)sum / count);
    }
    return 0;
}
