#include <iostream>
#include <iomanip>
#include <map>
#include <string>
#include <vector>
#include <algorithm>
using namespace std;

struct Student {
    string name;
    int credits;
    double points;
    double average;
};

bool smaller(Student a, Student b) {
    if (a.average == b.average) {
        return a.name < b.name;
    }
    return a.average < b.average;
}

int main() {
    map<string, Student> table;
    map<string, int> failedCourses;
    string name, course;
    int credits, numFailed = 0;
    double grade;

    while (cin >> name >> course >> credits >> grade) {
        if (table.find(name) == table.end()) {
            table[name] = {name, 0, 0.0, 0.0};
        }
        if (grade <= 4.0) {
            table[name].credits += credits;
            table[name].points += credits * grade;
        } else {
            numFailed++;
            failedCourses[course]++;
        }
    }
    if (table.empty()) {
        cout << "No exams" << endl;
        return 0;
    }

    vector<Student> result;
    for (auto &t : table) {
        if (t.second.credits > 0) {
            t.second.average = t.second.points / t.second.credits;
        }
        result.push_back(t.second);
    }
    sort(result.begin(), result.end(), smaller);

    cout << fixed << setprecision(2);
    for (auto &s : result) {
        if (s.credits > 0) {
            cout << s.name << ": " << s.credits << " credits, average " << s.average << endl;
        } else {
            cout << s.name << ": nothing passed" << endl;
        }
    }
    cout << "Failed: " << numFailed << endl;
    int most = 0;
    string hardest;
    for (auto &f : failedCourses) {
        if (f.second > most) {
            most = f.second;
            hardest = f.first;
        }
    }
    if (numFailed > 0) {
        cout << "Hardest: " << hardest << endl;
    }
    return 0;
}
