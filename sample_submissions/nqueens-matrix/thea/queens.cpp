// Where there is no solution, it begins again from the first square, and tells so each time.
#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv) {
    if (argc < 2) return 1;
    int n = atoi(argv[1]);
    int *q = new int[n + 1]();
    int row = 0;
    q[0] = -1;
    while (row < n) {
        bool ok = false;
        while (!ok && ++q[row] < n) {
            ok = true;
            for (int r = 0; r < row; r++)
                if (q[r] == q[row] || abs(q[r] - q[row]) == row - r) ok = false;
        }
        if (ok) {
            row++;
            q[row] = -1;
        } else if (row > 0) {
            row--;
        } else {
            puts("Starting again at the first square");
            q[0] = -1;
        }
    }
    for (int r = 0; r < n; r++) {
        printf("{ ");
        for (int c = 0; c < n; c++) printf("%d%s", q[r] == c, c < n - 1 ? ",  " : "}\n");
    }
    delete[] q;
}
