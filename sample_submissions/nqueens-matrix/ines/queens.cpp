// Blanks at the ends of the lines, an empty line behind the board, CR LF.
#include <cstdlib>
#include <iostream>
using namespace std;

int n, q[40];

bool place(int k) {
    if (k == n) return true;
    for (q[k] = n - 1; q[k] >= 0; q[k]--) {
        bool ok = true;
        for (int i = 0; i < k && ok; i++) ok = q[i] != q[k] && abs(q[i] - q[k]) != k - i;
        if (ok && place(k + 1)) return true;
    }
    return false;
}

int main(int argc, char **argv) {
    n = atoi(argv[1]);
    if (!place(0)) {
        cout << "Solution does not exist \r\n";
        return 0;
    }
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++) cout << ' ' << (q[r] == c) << ' ';
        cout << "  \r\n";
    }
    cout << "\r\n";
    return 0;
}
