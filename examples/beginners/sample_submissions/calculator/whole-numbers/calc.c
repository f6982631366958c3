#include <stdio.h>

int main() {
    int a, b;
    double result;
    char op;
    while (scanf("%d %c %d", &a, &op, &b) == 3) {
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
