// The naive algorithm: every way to put one queen in each row and each column, until one is good.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <vector>

int main(int argc, char *argv[]) {
    if (argc != 2) {
        std::cerr << "usage: queens n\n";
        return 2;
    }
    int n = std::atoi(argv[1]);
    std::vector<int> col(n);
    std::iota(col.begin(), col.end(), 0);
    do {
        bool attack = false;
        for (int a = 0; a < n && !attack; a++)
            for (int b = a + 1; b < n && !attack; b++)
                attack = std::abs(col[a] - col[b]) == b - a;
        if (!attack) {
            for (int r = 0; r < n; r++) {
                for (int c = 0; c < n; c++) std::cout << (c ? " " : "") << (col[r] == c);
                std::cout << '\n';
            }
            return 0;
        }
    } while (std::next_permutation(col.begin(), col.end()));
    std::cout << "There is no solution for " << n << " queens.\n";
    return 1;
}
