#include <iostream>
#include <sstream>
#include <iomanip>
#include <string>
#include <map>
#include <set>
using namespace std;

int main() {
    map<string, int> credits;
    map<string, double> points;
    map<string, int> failures;
    int failed = 0;

    string line;
    while (getline(cin, line)) {
        istringstream in(line);
        string name, course;
        int cr;
        double grade;
        in >> name >> course >> cr >> grade;
        credits[name];
        if (grade <= 4.0) {
            credits[name] += cr;
            points[name] += cr * grade;
        } else {
            failures[course]++;
            failed++;
        }
    }

    multimap<double, string> byAverage;
    for (auto entry : credits) {
        if (entry.second > 0) {
            byAverage.insert({points[entry.first] / entry.second, entry.first});
        }
    }

    cout << fixed << setprecision(2);
    for (auto entry : byAverage) {
        cout << entry.second << ": " << credits[entry.second] << " credits, average " << entry.first << endl;
    }
    for (auto entry : credits) {
        if (entry.second == 0) {
            cout << entry.first << ": nothing passed" << endl;
        }
    }
    cout << "Failed: " << failed << endl;
    if (!failures.empty()) {
        auto hardest = failures.begin();
        for (auto it = failures.begin(); it != failures.end(); it++) {
            if (it->second > hardest->second) {
                hardest = it;
            }
        }
        cout << "Hardest: " << hardest->first << endl;
    }
    return 0;
}
