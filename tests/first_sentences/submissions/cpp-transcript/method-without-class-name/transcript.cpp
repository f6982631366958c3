#include <iostream>
#include <iomanip>
#include <map>
#include <string>
#include <vector>
#include <algorithm>
using namespace std;

class Student {
private:
    string name;
    int credits;
    double points;
public:
    Student(string name = "");
    void pass(int credits, double grade);
    double average() const;
    bool hasPassed() const;
    string getName() const;
    int getCredits() const;
};

Student::Student(string name) {
    this->name = name;
    credits = 0;
    points = 0;
}

void Student::pass(int c, double grade) {
    credits += c;
    points += c * grade;
}

double average() {
    return points / credits;
}

bool Student::hasPassed() const { return credits > 0; }
string Student::getName() const { return name; }
int Student::getCredits() const { return credits; }

bool before(const Student& a, const Student& b) {
    if (a.hasPassed() && b.hasPassed() && a.average() != b.average())
        return a.average() < b.average();
    if (a.hasPassed() != b.hasPassed())
        return a.hasPassed();
    return a.getName() < b.getName();
}

int main() {
    map<string, Student> students;
    map<string, int> fails;
    int failed = 0;
    string name, course;
    int credits;
    double grade;
    while (cin >> name >> course >> credits >> grade) {
        if (students.count(name) == 0)
            students[name] = Student(name);
        if (grade <= 4.0) {
            students[name].pass(credits, grade);
        } else {
            fails[course]++;
            failed++;
        }
    }
    if (students.empty()) {
        cout << "No exams" << endl;
        return 0;
    }
    vector<Student> list;
    for (auto& entry : students) list.push_back(entry.second);
    sort(list.begin(), list.end(), before);
    cout << fixed << setprecision(2);
    for (auto& s : list) {
        if (s.hasPassed())
            cout << s.getName() << ": " << s.getCredits() << " credits, average " << s.average() << endl;
        else
            cout << s.getName() << ": nothing passed" << endl;
    }
    cout << "Failed: " << failed << endl;
    string hardest;
    for (auto& entry : fails)
        if (hardest == "" || entry.second > fails[hardest])
            hardest = entry.first;
    if (failed > 0) cout << "Hardest: " << hardest << endl;
    return 0;
}
