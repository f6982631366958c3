#include <iostream>
#include <iomanip>
#include <string>
#include <vector>
#include <map>
#include <algorithm>

struct Student {
    std::string name;
    int credits{0};
    double points{0.0};
    double average() const { return credits ? points / credits : 9.0; }
};

int main() {
    std::vector<Student> students;
    std::map<std::string, int> failures;
    int failed{0};

    std::string name, course;
    int credits;
    double grade;
    while (std::cin >> name >> course >> credits >> grade) {
        auto found = std::find_if(students.begin(), students.end(),
                                  [&](const Student& s) { return s.name == name; });
        if (found == students.end()) {
            students.push_back(Student{name});
            found = students.end() - 1;
        }
        if (grade <= 4.0) {
            found->credits += credits;
            found->points += grade * credits;
        } else {
            ++failed;
            ++failures[course];
        }
    }

    if (students.empty()) {
        std::cout << "No exams\n";
        return 0;
    }

    std::sort(students.begin(), students.end(),
              [](const Student& a, const Student& b) { return a.average() < b.average(); });

    std::cout << std::fixed << std::setprecision(2);
    for (const auto& s : students) {
        std::cout << s.name << ": ";
        if (s.credits == 0)
            std::cout << "nothing passed\n";
        else
            std::cout << s.credits << " credits, average " << s.average() << '\n';
    }
    std::cout << "Failed: " << failed << '\n';
    if (failed) {
        auto hardest = failures.begin();
        for (auto it = failures.begin(); it != failures.end(); ++it)
            if (it->second > hardest->second) hardest = it;
        std::cout << "Hardest: " << hardest->first << '\n';
    }
}
