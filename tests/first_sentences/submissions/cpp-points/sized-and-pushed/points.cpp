#include <algorithm>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

using namespace std;

int main() {
    int n;
    cin >> n;
    if (n <= 0) {
        cout << "Nobody" << endl;
        return 0;
    }
    vector<string> names(n);
    vector<int> points(n);
    for (int i = 0; i < n; ++i) {
        string name;
        int p, b;
        getline(cin >> ws, name);
        cin >> p >> b;
        names.push_back(name);
        points.push_back(min(p + b, 20));
    }
    int sum = 0;
    for (size_t i = 0; i < names.size(); ++i) {
        cout << names[i] << ": " << points[i] << endl;
        sum += points[i];
    }
    int passed = count_if(points.begin(), points.end(), [](int p) { return p >= 10; });
    cout << fixed << setprecision(2) << "Average: " << double(sum) / n << endl;
    cout << "Passed: " << passed << endl;
}
