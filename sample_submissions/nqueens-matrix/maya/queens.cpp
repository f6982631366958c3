// Prints every configuration that satisfies the constraints, as the naive algorithm of the README has it.
#include <cstdlib>
#include <iostream>
#include <vector>

static int n, found;
static std::vector<int> queen;

static void search() {
    int row = queen.size();
    if (row == n) {
        std::cout << "Solution " << ++found << ":\n";
        for (int q : queen) {
            for (int c = 0; c < n; c++) std::cout << (c == q) << " ";
            std::cout << "\n";
        }
        return;
    }
    for (int c = 0; c < n; c++) {
        bool ok = true;
        for (int r = 0; r < row; r++)
            if (queen[r] == c || std::abs(queen[r] - c) == row - r) ok = false;
        if (!ok) continue;
        queen.push_back(c);
        search();
        queen.pop_back();
    }
}

int main(int argc, char *argv[]) {
    n = std::atoi(argv[1]);
    search();
    std::cout << "Total: " << found << "\n";
}
