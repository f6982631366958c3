// The board is right, but for the newline behind the last row.
#include <iostream>
#include <string>
#include <vector>
using namespace std;

static bool solve(vector<string> &board, size_t col) {
    size_t n = board.size();
    if (col == n) return true;
    for (size_t row = 0; row < n; ++row) {
        bool safe = true;
        for (size_t c = 0; c < col && safe; ++c)
            for (size_t r = 0; r < n && safe; ++r)
                if (board[r][c] == '1' && (r == row || r + c == row + col || r + col == row + c)) safe = false;
        if (!safe) continue;
        board[row][col] = '1';
        if (solve(board, col + 1)) return true;
        board[row][col] = '0';
    }
    return false;
}

int main() {
    size_t n;
    cin >> n;
    vector<string> board(n, string(n, '0'));
    if (!solve(board, 0)) {
        cout << "no solution";
        return 0;
    }
    for (size_t r = 0; r < n; ++r) {
        if (r) cout << '\n';
        for (size_t c = 0; c < n; ++c) cout << (c ? " " : "") << board[r][c];
    }
}
