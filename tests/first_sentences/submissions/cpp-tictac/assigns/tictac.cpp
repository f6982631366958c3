#include <iostream>
#include <string>
#include <vector>

using namespace std;

bool wins(const vector<string>& board, char who) {
    for (int i = 0; i < 3; i++) {
        if (board[i][0] == who && board[i][1] == who && board[i][2] == who) {
            return true;
        }
        if (board[0][i] == who && board[1][i] == who && board[2][i] == who) {
            return true;
        }
    }
    if (board[0][0] == who && board[1][1] == who && board[2][2] == who) {
        return true;
    }
    return board[0][2] == who && board[1][1] == who && board[2][0] == who;
}

int count(const vector<string>& board, char who) {
    int number = 0;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            if (board[row][column] == who) {
                number++;
            }
        }
    }
    return number;
}

int main() {
    int n;
    cin >> n;
    int won = 0, lost = 0, draws = 0;
    int longest = 0;
    for (int game = 1; game <= n; game++) {
        vector<string> board(3);
        for (int i = 0; i < 3; i++) {
            cin >> board[i];
        }
        int x = count(board, 'X');
        int o = count(board, 'O');
        string verdict;
        if (x != o && x != o + 1) {
            verdict = "impossible";
        } else if (wins(board, 'X')) {
            verdict = "X wins";
            won++;
        } else if (wins(board, 'O')) {
            verdict = "O wins";
            lost++;
        } else if (x = 9) {
            verdict = "draw";
            draws++;
        } else {
            verdict = "open";
        }
        if (x + o > longest) {
            longest = x + o;
        }
        cout << "Game " << game << ": " << verdict << " after " << x + o << " moves" << endl;
    }
    cout << "X won: " << won << endl;
    cout << "O won: " << lost << endl;
    cout << "Draws: " << draws << endl;
    cout << "Longest: " << longest << endl;
    return 0;
}
