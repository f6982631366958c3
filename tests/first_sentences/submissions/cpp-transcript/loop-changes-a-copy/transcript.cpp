#include <iostream>
#include <string>
#include <vector>
#include <map>
#include <algorithm>
#include <cstdio>
using namespace std;

class Student {
public:
    string name;
    int credits;
    double sum;
    Student(string n) { name = n; credits = 0; sum = 0; }
};

bool cmp(Student a, Student b) {
    bool aNone = a.credits == 0, bNone = b.credits == 0;
    if (aNone != bNone) return bNone;
    if (!aNone) {
        double x = a.sum / a.credits, y = b.sum / b.credits;
        if (x != y) return x < y;
    }
    return a.name < b.name;
}

int main() {
    vector<Student> students;
    map<string,int> failed;
    int n = 0;
    string name, course; int credits; double grade;
    while (cin >> name >> course >> credits >> grade) {
        // new student?
        bool known = false;
        for (Student s : students)
            if (s.name == name) known = true;
        if (!known) students.push_back(Student(name));

        if (grade <= 4.0) {
            for (Student s : students) {
                if (s.name == name) {
                    s.credits += credits;
                    s.sum += credits * grade;
                }
            }
        } else {
            failed[course]++;
            n++;
        }
    }
    if (students.size() == 0) {
        cout << "No exams" << endl;
        return 0;
    }
    sort(students.begin(), students.end(), cmp);
    for (Student s : students) {
        if (s.credits > 0)
            printf("%s: %d credits, average %.2f\n", s.name.c_str(), s.credits, s.sum / s.credits);
        else
            printf("%s: nothing passed\n", s.name.c_str());
    }
    printf("Failed: %d\n", n);
    string worst = "";
    int max = 0;
    for (auto f : failed)
        if (f.second > max) { max = f.second; worst = f.first; }
    if (n > 0) printf("Hardest: %s\n", worst.c_str());
    return 0;
}
