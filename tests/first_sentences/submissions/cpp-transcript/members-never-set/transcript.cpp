#include <iostream>
#include <iomanip>
#include <string>
#include <vector>
#include <algorithm>
#include <map>
using namespace std;

struct Student {
    string name;
    int    credits;
    double points;
};

int indexOf(vector<Student>& list, string name) {
    for (unsigned int i = 0; i < list.size(); i++) {
        if (list[i].name == name) return i;
    }
    Student fresh;
    fresh.name = name;
    list.push_back(fresh);
    return list.size() - 1;
}

double average(const Student& s) {
    if (s.credits == 0) return 1000;
    return s.points / s.credits;
}

int main() {
    vector<Student> list;
    map<string, int> bad;
    int failed = 0;

    string line_name, line_course;
    int line_credits;
    double line_grade;
    while (cin >> line_name >> line_course >> line_credits >> line_grade) {
        int i = indexOf(list, line_name);
        if (line_grade <= 4.0) {
            list[i].credits = list[i].credits + line_credits;
            list[i].points = list[i].points + line_credits * line_grade;
        } else {
            bad[line_course]++;
            failed++;
        }
    }
    if (list.empty()) { cout << "No exams" << endl; return 0; }

    sort(list.begin(), list.end(), [](const Student& a, const Student& b) {
        if (average(a) == average(b)) return a.name < b.name;
        return average(a) < average(b);
    });

    cout << fixed << setprecision(2);
    for (const Student& s : list) {
        cout << s.name << ": ";
        if (s.credits == 0) cout << "nothing passed" << endl;
        else cout << s.credits << " credits, average " << average(s) << endl;
    }
    cout << "Failed: " << failed << endl;
    if (failed > 0) {
        pair<string, int> top("", 0);
        for (auto& b : bad) if (b.second > top.second) top = b;
        cout << "Hardest: " << top.first << endl;
    }
}
