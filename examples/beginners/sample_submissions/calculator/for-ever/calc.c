#include <stdio.h>

int main() {
    double a, b, result;
    char op;
    while (op != 'q') {
        scanf("%lf %c %lf", &a, &op, &b);
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
