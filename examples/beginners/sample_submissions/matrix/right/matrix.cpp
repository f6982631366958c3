#include <iostream>
#include <vector>

using Matrix = std::vector<std::vector<int>>;

Matrix read() {
    int rows, columns;
    std::cin >> rows >> columns;
    Matrix m(rows, std::vector<int>(columns));
    for (auto &row : m)
        for (int &cell : row)
            std::cin >> cell;
    return m;
}

int main() {
    Matrix a = read(), b = read();
    if (a[0].size() != b.size()) {
        std::cout << "Dimensions do not match\n";
        return 1;
    }
    for (const auto &row : a) {
        for (size_t j = 0; j < b[0].size(); j++) {
            int sum = 0;
            for (size_t k = 0; k < b.size(); k++)
                sum += row[k] * b[k][j];
            std::cout << (j ? " " : "") << sum;
        }
        std::cout << "\n";
    }
}
