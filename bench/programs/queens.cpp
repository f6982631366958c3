// A student's N-Queens that counts: one queen a row, every column tried against all queens above.
#include <cstdlib>
#include <iostream>
#include <vector>

static bool safe(const std::vector<int> &columns, int column) {
    int row = columns.size();
    for (int above = 0; above < row; ++above)
        if (columns[above] == column || std::abs(columns[above] - column) == row - above) return false;
    return true;
}

static int search(int size, std::vector<int> &columns) {
    if ((int)columns.size() == size) return 1;
    int found = 0;
    for (int column = 1; column <= size; ++column)
        if (safe(columns, column)) {
            columns.push_back(column);
            found += search(size, columns);
            columns.pop_back();
        }
    return found;
}

int main(int count, char **words) {
    int size = count > 1 ? std::atoi(words[1]) : 0;
    std::vector<int> columns;
    std::cout << size << "-Queens has " << search(size, columns) << " solutions\n";
    return 0;
}
