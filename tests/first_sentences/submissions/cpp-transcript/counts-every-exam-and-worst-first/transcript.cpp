#include <iostream>
#include <iomanip>
#include <string>
#include <map>
#include <vector>
#include <algorithm>
using namespace std;

struct Student {
    string name;
    int credits = 0;
    double points = 0;
};

double average(const Student &s) {
    return s.points / s.credits;
}

bool order(const Student &a, const Student &b) {
    if (average(a) == average(b))
        return a.name < b.name;
    return average(a) > average(b);
}

int main() {
    map<string, Student> students;
    map<string, int> courses;
    string name, course;
    int credits;
    double grade;
    int failed = 0;

    while (cin >> name >> course >> credits >> grade) {
        Student &s = students[name];
        s.name = name;
        courses[course]++;
        if (grade <= 4.0) {
            s.credits += credits;
            s.points += credits * grade;
        } else {
            failed++;
        }
    }
    if (students.empty()) {
        cout << "No exams" << endl;
        return 0;
    }

    vector<Student> passed;
    for (auto &entry : students)
        if (entry.second.credits > 0)
            passed.push_back(entry.second);
    sort(passed.begin(), passed.end(), order);
    cout << fixed << setprecision(2);
    for (auto &s : passed)
        cout << s.name << ": " << s.credits << " credits, average " << average(s) << endl;
    for (auto &entry : students)
        if (entry.second.credits == 0)
            cout << entry.first << ": nothing passed" << endl;

    cout << "Failed: " << failed << endl;
    if (failed > 0) {
        string hardest;
        int most = 0;
        for (auto &entry : courses)
            if (entry.second > most) {
                most = entry.second;
                hardest = entry.first;
            }
        cout << "Hardest: " << hardest << endl;
    }
    return 0;
}
