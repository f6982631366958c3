// Backtracking, column by column, as the README describes it.
#include <cstdio>
#include <cstdlib>
#include <vector>

using Board = std::vector<std::vector<int>>;

bool isSafe(const Board &board, int row, int col) {
    int n = board.size();
    for (int i = 0; i < col; i++)
        if (board[row][i]) return false;
    for (int i = row, j = col; i >= 0 && j >= 0; i--, j--)
        if (board[i][j]) return false;
    for (int i = row, j = col; i < n && j >= 0; i++, j--)
        if (board[i][j]) return false;
    return true;
}

bool solve(Board &board, int col) {
    int n = board.size();
    if (col == n) return true;
    for (int row = 0; row < n; row++) {
        if (isSafe(board, row, col)) {
            board[row][col] = 1;
            if (solve(board, col + 1)) return true;
            board[row][col] = 0;
        }
    }
    return false;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 4;
    Board board(n, std::vector<int>(n, 0));
    if (!solve(board, 0)) {
        printf("Solution does not exist\n");
        return 0;
    }
    for (const auto &row : board) {
        printf("{");
        for (int j = 0; j < n; j++) printf(j ? ",  %d" : " %d", row[j]);
        printf("}\n");
    }
}
