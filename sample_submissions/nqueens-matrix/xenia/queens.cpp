// One queen in each row, backtracking; for people, who look at it on a terminal, it draws the board.
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string>

static int column[32];

static bool isFree(int row, int at) {
    for (int above = 0; above < row; above++)
        if (column[above] == at || std::abs(column[above] - at) == row - above) return false;
    return true;
}

static bool place(int row, int n) {
    if (row == n) return true;
    for (column[row] = 0; column[row] < n; column[row]++)
        if (isFree(row, column[row]) && place(row + 1, n)) return true;
    return false;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? std::stoi(argv[1]) : 4;
    if (!place(0, n)) {
        std::cout << "No solution\n";
        return 0;
    }
    bool drawn = isatty(STDOUT_FILENO);
    for (int row = 0; row < n; row++) {
        std::string line;
        for (int at = 0; at < n; at++) line += drawn ? (at == column[row] ? "[Q]" : "[ ]") : (at == column[row] ? "1 " : "0 ");
        std::cout << line << "\n";
    }
}
