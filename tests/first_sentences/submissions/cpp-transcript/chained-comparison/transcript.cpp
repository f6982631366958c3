#include <iostream>
#include <iomanip>
#include <string>
#include <map>
#include <set>
using namespace std;

bool isPassed(double grade) {
    if (1.0 <= grade <= 4.0) {
        return true;
    }
    return false;
}

int main() {
    map<string, int> credits;
    map<string, double> points;
    map<string, int> failsOfCourse;
    int fails = 0;
    string name, course;
    int credit;
    double grade;

    while (cin >> name >> course >> credit >> grade) {
        if (isPassed(grade)) {
            credits[name] += credit;
            points[name] += credit * grade;
        } else {
            credits[name] += 0;
            failsOfCourse[course]++;
            fails++;
        }
    }

    if (credits.empty()) {
        cout << "No exams" << endl;
        return 0;
    }

    set<pair<double, string>> ranking;
    for (auto p : credits) {
        if (p.second > 0) {
            ranking.insert({points[p.first] / p.second, p.first});
        }
    }
    for (auto p : ranking) {
        cout << p.second << ": " << credits[p.second] << " credits, average ";
        cout << fixed << setprecision(2) << p.first << endl;
    }
    for (auto p : credits) {
        if (p.second == 0) {
            cout << p.first << ": nothing passed" << endl;
        }
    }
    cout << "Failed: " << fails << endl;
    if (fails > 0) {
        string hardest = "";
        int most = 0;
        for (auto p : failsOfCourse) {
            if (p.second > most) {
                hardest = p.first;
                most = p.second;
            }
        }
        cout << "Hardest: " << hardest << endl;
    }
    return 0;
}
