#include <stdio.h>

int main() {
    double a, b, result;
    char op;
    while (1) {
        printf("Enter a calculation: ");
        if (scanf("%lf %c %lf", &a, &op, &b) != 3) {
            break;
        }
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
            if (b == 0) {
                printf("Error: division by zero\n");
                continue;
            }
            result = a / b;
            break;
        default:
            printf("Error: unknown operator\n");
            continue;
        }
        printf("%.2f\n", result);
    }
    return 0;
}
