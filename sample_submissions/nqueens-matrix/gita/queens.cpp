// Asks for n without a newline, so that the first row stands behind the prompt.
#include <cstdio>
#include <cstdlib>

int col[32], n;

int solve(int r) {
    if (r == n) return 1;
    for (int c = 0; c < n; c++) {
        int good = 1;
        for (int i = 0; i < r; i++)
            if (col[i] == c || abs(col[i] - c) == r - i) good = 0;
        if (!good) continue;
        col[r] = c;
        if (solve(r + 1)) return 1;
    }
    return 0;
}

int main() {
    printf("Input:");
    if (scanf("%d", &n) != 1) return 1;
    if (!solve(0)) {
        printf("Solution does not exist");
        return 0;
    }
    for (int r = 0; r < n; r++, puts(""))
        for (int c = 0; c < n; c++) printf("%d ", col[r] == c);
    return 0;
}
