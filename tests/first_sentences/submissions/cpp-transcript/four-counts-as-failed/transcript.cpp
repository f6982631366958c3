#include <iostream>
#include <map>
#include <vector>
#include <string>
#include <algorithm>
#include <iomanip>
using namespace std;

int main() {
    map<string, pair<int, double>> studs; // credits, points
    map<string, int> fails;
    string n, k;
    int cp;
    double note;
    int failed = 0;
    while (cin >> n >> k >> cp >> note) {
        auto &s = studs[n];
        if (note < 4.0) {
            s.first += cp;
            s.second += cp * note;
        } else {
            ++fails[k];
            ++failed;
        }
    }
    if (studs.empty()) {
        cout << "No exams" << endl;
        return 0;
    }
    vector<pair<double, string>> list;
    for (auto &s : studs)
        if (s.second.first)
            list.emplace_back(s.second.second / s.second.first, s.first);
    sort(list.begin(), list.end());
    cout << fixed << setprecision(2);
    for (auto &p : list)
        cout << p.second << ": " << studs[p.second].first << " credits, average " << p.first << '\n';
    for (auto &s : studs)
        if (!s.second.first)
            cout << s.first << ": nothing passed\n";
    cout << "Failed: " << failed << '\n';
    if (failed) {
        string hardest;
        int max = 0;
        for (auto &f : fails)
            if (f.second > max) {
                max = f.second;
                hardest = f.first;
            }
        cout << "Hardest: " << hardest << '\n';
    }
}
