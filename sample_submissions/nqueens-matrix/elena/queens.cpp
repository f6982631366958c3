// Fills the board in a function that gets a copy of it.
#include <cstdlib>
#include <iostream>
#include <vector>

typedef std::vector<std::vector<int>> Board;

bool safe(const Board &b, int r, int c) {
    for (int i = 0; i < r; i++)
        for (int j = 0; j < (int)b.size(); j++)
            if (b[i][j] && (j == c || abs(j - c) == r - i)) return false;
    return true;
}

bool solve(Board b, int r) {
    if (r == (int)b.size()) return true;
    for (int c = 0; c < (int)b.size(); c++) {
        if (!safe(b, r, c)) continue;
        b[r][c] = 1;
        if (solve(b, r + 1)) return true;
        b[r][c] = 0;
    }
    return false;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    Board b(n, std::vector<int>(n));
    if (solve(b, 0)) {
        for (auto &row : b) {
            std::cout << "{";
            for (int c = 0; c < n; c++) std::cout << (c ? ",  " : " ") << row[c];
            std::cout << "}\n";
        }
    } else {
        std::cout << "No solution\n";
    }
}
