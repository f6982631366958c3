// Looks one row above the first one.
#include <cstdio>
#include <cstdlib>

int **rows;

bool safe(int n, int r, int c) {
    for (int i = r - 1; i >= -1; i--)
        if (rows[i][c]) return false;
    for (int i = r - 1, j = c - 1; i >= 0 && j >= 0; i--, j--)
        if (rows[i][j]) return false;
    for (int i = r - 1, j = c + 1; i >= 0 && j < n; i--, j++)
        if (rows[i][j]) return false;
    return true;
}

bool solve(int n, int r) {
    if (r == n) return true;
    for (int c = 0; c < n; c++) {
        if (!safe(n, r, c)) continue;
        rows[r][c] = 1;
        if (solve(n, r + 1)) return true;
        rows[r][c] = 0;
    }
    return false;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int **memory = (int **)calloc(n + 1, sizeof(int *));
    rows = memory + 1;
    for (int i = 0; i < n; i++) rows[i] = (int *)calloc(n, sizeof(int));
    if (!solve(n, 0)) {
        puts("none");
        return 0;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) printf("%d ", rows[i][j]);
        puts("");
    }
}
