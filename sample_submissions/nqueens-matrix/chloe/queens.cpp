// The bitwise solution.
#include <iostream>
#include <string>
#include <vector>

static std::vector<unsigned> rows;
static unsigned all;

static bool place(unsigned left, unsigned column, unsigned right) {
    if (column == all) return true;
    unsigned free = all & ~(left | column | right);
    while (free) {
        unsigned bit = free & -free;
        free -= bit;
        rows.push_back(bit);
        if (place((left | bit) << 1, column | bit, (right | bit) >> 1)) return true;
        rows.pop_back();
    }
    return false;
}

int main() {
    int n;
    if (!(std::cin >> n)) return 1;
    all = (1u << n) - 1;
    if (!place(0, 0, 0)) {
        std::cout << "No solution exists for n = " << n << std::endl;
        return 0;
    }
    for (unsigned row : rows) {
        std::string line;
        for (int c = n - 1; c >= 0; c--) line += std::string(line.empty() ? "{ " : ",  ") + ((row >> c & 1) ? "1" : "0");
        std::cout << line << "}" << std::endl;
    }
    std::cout << std::endl;
}
