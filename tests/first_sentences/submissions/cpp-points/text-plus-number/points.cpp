#include <iomanip>
#include <iostream>
#include <string>
using namespace std;

int main() {
    int n;
    cin >> n;
    cin.ignore();
    if (n == 0) {
        cout << "Nobody\n";
        return 0;
    }
    double total = 0;
    int passed = 0;
    for (int i = 0; i < n; i++) {
        string name;
        getline(cin, name);
        int points, bonus;
        cin >> points >> bonus;
        cin.ignore();
        points += bonus;
        if (points > 20) {
            points = 20;
        }
        if (points >= 10) {
            passed += 1;
        }
        total += points;
        cout << name + ": " << points << "\n";
    }
    cout << fixed << setprecision(2) << "Average: " << total / n << "\n";
    cout << "Passed: " + passed << "\n";
    return 0;
}
