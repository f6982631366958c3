/* Asks on standard error, so that standard output has the board alone. */
#include <stdio.h>
#include <string.h>

#define MOST 32
static char square[MOST][MOST];
static int n;

static int attacked(int r, int c) {
    for (int d = 1; d <= r; d++) {
        if (square[r - d][c]) return 1;
        if (c - d >= 0 && square[r - d][c - d]) return 1;
        if (c + d < n && square[r - d][c + d]) return 1;
    }
    return 0;
}

static int place(int r) {
    if (r == n) return 1;
    for (int c = n - 1; c >= 0; c--) {
        if (attacked(r, c)) continue;
        square[r][c] = 1;
        if (place(r + 1)) return 1;
        square[r][c] = 0;
    }
    return 0;
}

int main(void) {
    fprintf(stderr, "Number of queens: ");
    if (scanf("%d", &n) != 1 || n < 1 || n > MOST) {
        fprintf(stderr, "1 to %d, please\n", MOST);
        return 2;
    }
    memset(square, 0, sizeof square);
    if (!place(0)) {
        fprintf(stderr, "There is no solution.\n");
        return 1;
    }
    for (int r = 0; r < n; r++) {
        printf("{");
        for (int c = 0; c < n; c++) printf("%s%d", c ? ", " : "", square[r][c]);
        printf("},\n");
    }
    return 0;
}
