// Right, beside a first try; which of the two is meant, nobody can know.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <vector>

int main(int argc, char **argv) {
    int n = argc > 1 ? std::atoi(argv[1]) : 4;
    std::vector<int> p;
    auto place = [&](auto &&self) -> bool {
        int row = p.size();
        if (row == n) return true;
        for (int c = 0; c < n; c++) {
            bool good = true;
            for (int r = 0; r < row; r++) good = good && p[r] != c && std::abs(p[r] - c) != row - r;
            if (!good) continue;
            p.push_back(c);
            if (self(self)) return true;
            p.pop_back();
        }
        return false;
    };
    if (!place(place)) {
        std::cout << "Solution does not exist\n";
        return 0;
    }
    for (int column : p) {
        for (int c = 0; c < n; c++) std::cout << ' ' << (c == column);
        std::cout << '\n';
    }
}
