#include <iostream>
#include <iomanip>
#include <vector>
#include <string>
using namespace std;

int main() {
    int count;
    cin >> count;
    cin.ignore();
    if (count == 0) {
        cout << "Nobody" << endl;
        return 0;
    }
    vector<string> names;
    vector<int> points;
    for (int i = 0; i < count; i++) {
        int p, bonus;
        getline(cin, names[i]);
        cin >> p >> bonus;
        cin.ignore();
        points[i] = min(20, p + bonus);
    }
    double sum = 0;
    int passed = 0;
    for (int i = 0; i < count; i++) {
        cout << names[i] << ": " << points[i] << endl;
        sum += points[i];
        if (points[i] >= 10)
            passed++;
    }
    cout << "Average: " << fixed << setprecision(2) << sum / count << endl;
    cout << "Passed: " << passed << endl;
    return 0;
}
