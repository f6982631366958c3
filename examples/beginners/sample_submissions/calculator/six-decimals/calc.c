#include <stdio.h>

int main() {
    double a, b, result;
    char op;
    while (scanf("%lf %c %lf", &a, &op, &b) == 3) {
        switch (op) {
        case '+':
            result = a + b;
            break;
        case '-':
            result = a - b;
            break;
        case '*':
            result = a * b;
            break;
        case '/':
            result = a / b;
            break;
        default:
            printf("Error: unknown operator\n");
            continue;
        }
        printf("%lf\n", result);
    }
    return 0;
}
