#include <iostream>
#include <iomanip>
#include <string>
#include <vector>
#include <map>
#include <algorithm>

using namespace std;

class Student {
public:
    string name;
    int credits = 0;
    vector<double> grades;

    void addExam(int c, double grade) {
        credits += c;
        grades.push_back(grade);
    }

    double average() const {
        double sum = 0;
        for (double g : grades)
            sum += g;
        return sum / grades.size();
    }
};

bool comesFirst(const Student& a, const Student& b) {
    if (a.grades.empty() && b.grades.empty())
        return a.name < b.name;
    if (a.grades.empty())
        return false;
    if (b.grades.empty())
        return true;
    if (a.average() < b.average())
        return true;
    if (a.average() > b.average())
        return false;
    return a.name < b.name;
}

int main() {
    map<string, Student> students;
    map<string, int> failedExams;
    int failed = 0;

    string name, course;
    int credits;
    double grade;
    while (cin >> name >> course >> credits >> grade) {
        students[name].name = name;
        if (grade <= 4.0)
            students[name].addExam(credits, grade);
        else {
            failed++;
            failedExams[course]++;
        }
    }

    if (students.empty()) {
        cout << "No exams" << endl;
        return 0;
    }

    vector<Student> sorted;
    for (const auto& entry : students)
        sorted.push_back(entry.second);
    sort(sorted.begin(), sorted.end(), comesFirst);

    cout << fixed << setprecision(2);
    for (const Student& s : sorted) {
        if (s.grades.empty())
            cout << s.name << ": nothing passed" << endl;
        else
            cout << s.name << ": " << s.credits << " credits, average " << s.average() << endl;
    }

    cout << "Failed: " << failed << endl;
    if (failed > 0) {
        string hardest = failedExams.begin()->first;
        for (const auto& entry : failedExams)
            if (entry.second > failedExams[hardest])
                hardest = entry.first;
        cout << "Hardest: " << hardest << endl;
    }
    return 0;
}
