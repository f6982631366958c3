#include <cstdio>
#include <iostream>
#include <string>

bool hasPassed(int points) {
    return 10 <= points <= 20;
}

int main() {
    int n, passed = 0, sum = 0;
    std::cin >> n;
    for (int i = 0; i < n; i++) {
        std::string name;
        int points, bonus;
        std::getline(std::cin >> std::ws, name);
        std::cin >> points >> bonus;
        points += bonus;
        if (points > 20) points = 20;
        std::printf("%s: %d\n", name.c_str(), points);
        sum += points;
        if (hasPassed(points)) {
            passed++;
        }
    }
    if (n == 0) {
        std::printf("Nobody\n");
        return 0;
    }
    std::printf("Average: %.2f\nPassed: %d\n", (double)sum / n, passed);
    return 0;
}
