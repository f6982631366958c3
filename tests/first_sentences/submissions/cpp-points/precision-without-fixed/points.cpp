#include <iomanip>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<string> names(n);
    vector<int> points(n);
    double sum = 0;
    int passed = 0;
    for (int i = 0; i < n; i++) {
        int bonus;
        cin.ignore();
        getline(cin, names[i]);
        cin >> points[i] >> bonus;
        points[i] = points[i] + bonus > 20 ? 20 : points[i] + bonus;
        sum += points[i];
        passed += points[i] >= 10;
    }
    if (n == 0) {
        cout << "Nobody" << endl;
        return 0;
    }
    for (int i = 0; i < n; i++)
        cout << names[i] << ": " << points[i] << endl;
    cout << "Average: " << setprecision(2) << sum / n << endl;
    cout << "Passed: " << passed << endl;
    return 0;
}
