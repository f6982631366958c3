// Does not compile: a semicolon is missing.
#include <array>
#include <cstdlib>
#include <iostream>

std::array<int, 10> column;
int n

bool fits(int row, int c) {
    for (int i = 0; i < row; i++)
        if (column.at(i) == c || std::abs(column.at(i) - c) == row - i) return false;
    return true;
}

bool place(int row) {
    if (row == n) return true;
    for (int c = 0; c < n; c++) {
        if (!fits(row, c)) continue;
        column.at(row) = c;
        if (place(row + 1)) return true;
    }
    return false;
}

int main(int argc, char **argv) {
    n = argc > 1 ? std::stoi(argv[1]) : 4;
    if (!place(0)) {
        std::cout << "Solution does not exist\n";
        return 0;
    }
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++) std::cout << (c ? ",  " : "{ ") << (column.at(r) == c);
        std::cout << "}\n";
    }
}
