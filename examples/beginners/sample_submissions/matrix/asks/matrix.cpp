#include <iostream>
using namespace std;

int main() {
    int a[50][50], b[50][50], c[50][50];
    int r1, c1, r2, c2;
    cout << "Enter rows and columns of the first matrix: ";
    cin >> r1 >> c1;
    cout << "Enter its numbers: ";
    for (int i = 0; i < r1; i++) {
        for (int j = 0; j < c1; j++) {
            cin >> a[i][j];
        }
    }
    cout << "Enter rows and columns of the second matrix: ";
    cin >> r2 >> c2;
    cout << "Enter its numbers: ";
    for (int i = 0; i < r2; i++) {
        for (int j = 0; j < c2; j++) {
            cin >> b[i][j];
        }
    }
    if (c1 != r2) {
        cout << "Dimensions do not match" << endl;
        return 1;
    }
    for (int i = 0; i < r1; i++) {
        for (int j = 0; j < c2; j++) {
            c[i][j] = 0;
            for (int k = 0; k < c1; k++) {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    cout << endl;
    for (int i = 0; i < r1; i++) {
        for (int j = 0; j < c2; j++) {
            cout << c[i][j] << " ";
        }
        cout << endl;
    }
    return 0;
}
