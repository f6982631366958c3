// Right, but prints the columns of the queens, counted from 0, where a matrix is asked for.
#include <cstdlib>
#include <iostream>
#include <vector>

std::vector<int> columns;

bool place(int n) {
    int row = columns.size();
    if (row == n) return true;
    for (int column = 0; column < n; column++) {
        bool free = true;
        for (int above = 0; above < row; above++) {
            int across = std::abs(columns[above] - column);
            free = free && across != 0 && across != row - above;
        }
        if (!free) continue;
        columns.push_back(column);
        if (place(n)) return true;
        columns.pop_back();
    }
    return false;
}

int main() {
    int n;
    std::cin >> n;
    if (!place(n)) {
        std::cout << "no solution\n";
        return 0;
    }
    for (int column : columns) std::cout << column << ' ';
    std::cout << '\n';
}
