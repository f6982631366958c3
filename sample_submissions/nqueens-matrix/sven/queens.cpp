// Solves the problem, and says nothing of it.
#include <cstdlib>
#include <vector>

class Queens {
  public:
    explicit Queens(int n) : n(n), column(n, -1) {}

    bool solve(int row = 0) {
        if (row == n) return true;
        for (int c = 0; c < n; ++c) {
            if (!free(row, c)) continue;
            column[row] = c;
            if (solve(row + 1)) return true;
        }
        column[row] = -1;
        return false;
    }

  private:
    bool free(int row, int c) const {
        for (int r = 0; r < row; ++r)
            if (column[r] == c || std::abs(column[r] - c) == row - r) return false;
        return true;
    }

    int n;
    std::vector<int> column;
};

int main(int argc, char *argv[]) {
    Queens queens(argc > 1 ? std::atoi(argv[1]) : 8);
    return queens.solve() ? 0 : 1;
}
