#include <iomanip>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

class Exam {
    std::vector<std::string> names;
    std::vector<int> points;

  public:
    void add(const std::string &name, int value) {
        names.push_back(name);
        points.push_back(value > 20 ? 20 : value);
    }

    double average() const {
        int sum = std::accumulate(points.begin(), points.end(), 0);
        int count = points.size();
        return static_cast<double>(sum / count);
    }

    int passed() const {
        int number = 0;
        for (int value : points) {
            if (value >= 10) {
                number++;
            }
        }
        return number;
    }

    void print() const {
        for (size_t i = 0; i < names.size(); i++) {
            std::cout << names[i] << ": " << points[i] << "\n";
        }
    }
};

int main() {
    int n;
    std::cin >> n;
    if (n == 0) {
        std::cout << "Nobody\n";
        return 0;
    }
    Exam exam;
    for (int i = 0; i < n; i++) {
        std::string name;
        int points, bonus;
        std::getline(std::cin >> std::ws, name);
        std::cin >> points >> bonus;
        exam.add(name, points + bonus);
    }
    exam.print();
    std::cout << std::fixed << std::setprecision(2) << "Average: " << exam.average() << "\n";
    std::cout << "Passed: " << exam.passed() << "\n";
}
