#include <iostream>
#include <iomanip>
#include <string>
#include <map>
#include <set>
#include <vector>
#include <algorithm>

using namespace std;

int main() {
    map<string, int> credits;
    map<string, double> points;
    map<string, int> failures;
    string name, course;
    int c;
    double g;
    int failed = 0;

    while (cin >> name >> course >> c >> g) {
        credits[name] += 0;
        if (g <= 4.0) {
            credits[name] += c;
            points[name] += c * g;
        } else {
            failures[course] += 1;
            failed += 1;
        }
    }

    if (credits.size() == 0) {
        cout << "No exams" << endl;
        return 0;
    }

    // take out those who passed nothing
    vector<string> nothing;
    for (map<string, int>::iterator it = credits.begin(); it != credits.end(); ++it) {
        if (it->second == 0) {
            nothing.push_back(it->first);
            credits.erase(it);
        }
    }

    set<pair<double, string>> ranking;
    for (map<string, int>::iterator it = credits.begin(); it != credits.end(); ++it)
        ranking.insert(make_pair(points[it->first] / it->second, it->first));

    cout << fixed << setprecision(2);
    for (auto entry : ranking)
        cout << entry.second << ": " << credits[entry.second] << " credits, average " << entry.first << endl;
    for (size_t i = 0; i < nothing.size(); i++)
        cout << nothing[i] << ": nothing passed" << endl;

    cout << "Failed: " << failed << endl;
    if (failed > 0) {
        string hardest = failures.begin()->first;
        for (auto entry : failures)
            if (entry.second > failures[hardest])
                hardest = entry.first;
        cout << "Hardest: " << hardest << endl;
    }
    return 0;
}
