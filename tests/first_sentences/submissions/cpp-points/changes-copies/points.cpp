#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

struct Student {
    std::string name;
    int points;
    int bonus;
};

int main() {
    int n;
    std::cin >> n;
    if (n == 0) {
        std::cout << "Nobody\n";
        return 0;
    }
    std::vector<Student> students;
    for (int i = 0; i < n; i++) {
        Student student;
        std::cin.ignore();
        std::getline(std::cin, student.name);
        std::cin >> student.points >> student.bonus;
        students.push_back(student);
    }
    for (Student student : students) {
        student.points += student.bonus;
        if (student.points > 20) {
            student.points = 20;
        }
    }
    double sum = 0;
    int passed = 0;
    for (const Student &student : students) {
        std::cout << student.name << ": " << student.points << "\n";
        sum += student.points;
        if (student.points >= 10) {
            passed++;
        }
    }
    std::cout << std::fixed << std::setprecision(2);
    std::cout << "Average: " << sum / n << "\n";
    std::cout << "Passed: " << passed << "\n";
}
