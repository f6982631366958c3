// Asks for n on a line of its own, and prints nothing when there is no board.
#include <iostream>
#include <vector>

int main() {
    int n = 0;
    std::cout << "Enter the number of queens: " << std::endl;
    std::cin >> n;
    std::vector<int> at(n, -1);
    for (int row = 0; row >= 0 && row < n;) {
        bool placed = false;
        while (!placed && ++at[row] < n) {
            placed = true;
            for (int i = 0; i < row; i++) {
                int d = at[i] - at[row];
                if (d == 0 || d == row - i || d == i - row) placed = false;
            }
        }
        if (placed) row++;
        else at[row--] = -1;
    }
    if (n == 0 || at[0] < 0) return 0;
    for (int row = 0; row < n; row++) {
        std::cout << "[";
        for (int c = 0; c < n; c++) std::cout << (c ? ", " : "") << (c == at[row] ? 1 : 0);
        std::cout << "]" << std::endl;
    }
}
