#include <stdio.h>

int main(void) {
    char line[200], op;
    double a, b;
    while (fgets(line, sizeof line, stdin) && line[0] != 'q') {
        if (sscanf(line, "%lf %c %lf", &a, &op, &b) != 3)
            continue;
        if (op == '+')
            printf("%.2f\n", a + b);
        else if (op == '-')
            printf("%.2f\n", a - b);
        else if (op == '*')
            printf("%.2f\n", a * b);
        else if (op != '/')
            printf("Error: unknown operator\n");
        else if (b == 0)
            printf("Error: division by zero\n");
        else
            printf("%.2f\n", a / b);
    }
    return 0;
}
