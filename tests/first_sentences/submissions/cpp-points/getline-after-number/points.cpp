#include <iomanip>
#include <iostream>
#include <string>
using namespace std;

int main() {
    int n = 0;
    cin >> n;
    double sum = 0;
    int passed = 0;
    for (int i = 0; i < n; i++) {
        string name;
        int points = 0, bonus = 0;
        getline(cin, name);
        cin >> points >> bonus;
        points = min(20, points + bonus);
        cout << name << ": " << points << endl;
        sum += points;
        if (points >= 10) passed++;
    }
    if (n == 0) {
        cout << "Nobody" << endl;
    } else {
        cout << "Average: " << fixed << setprecision(2) << sum / n << endl;
        cout << "Passed: " << passed << endl;
    }
    return 0;
}
