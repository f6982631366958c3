#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::vector<std::string> names;
    std::vector<double> before, after;
    std::string name;
    double a, b;
    while (std::cin >> name >> a >> b) {
        names.push_back(name);
        before.push_back(a);
        after.push_back(b);
    }
    double paid = 0, saved = 0;
    int cheaper = 0;
    std::size_t best = 0;
    std::cout << std::fixed << std::setprecision(2);
    std::cout << "Article      Old     New   Saved\n";
    for (std::size_t i = 0; i < names.size(); i++) {
        double less = before[i] - after[i];
        std::cout << std::left << std::setw(8) << names[i] << std::right << std::setw(8) << before[i] << std::setw(8) << after[i] << std::setw(8) << less << "\n";
        paid += after[i];
        saved += less;
        if (less >= 0) {
            cheaper++;
        }
        if (less > before[best] - after[best]) {
            best = i;
        }
    }
    std::cout << "To pay: " << paid << "\n";
    std::cout << "Saved: " << saved << "\n";
    std::cout << "Cheaper: " << cheaper << " of " << names.size() << "\n";
    if (!names.empty()) {
        std::cout << "Best: " << names[best] << "\n";
        std::cout << "Mean price: " << paid / names.size() << "\n";
    }
    return 0;
}
