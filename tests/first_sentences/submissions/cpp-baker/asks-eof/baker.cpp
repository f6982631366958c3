#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct Ingredient {
    double amount;
    std::string unit;
    std::string name;
};

void print(const Ingredient &one, double factor) {
    double amount = one.amount * factor;
    std::string unit = one.unit;
    if (unit == "g" && amount >= 1000) {
        amount /= 1000;
        unit = "kg";
    } else if (unit == "ml" && amount >= 1000) {
        amount /= 1000;
        unit = "l";
    }
    printf("%.1f %s %s\n", amount, unit.c_str(), one.name.c_str());
}

int main() {
    double portions = 0;
    double wanted = 0;
    std::cin >> portions >> wanted;
    std::vector<Ingredient> items;
    std::string line;
    getline(std::cin, line);
    while (!std::cin.eof()) {
        getline(std::cin, line);
        std::istringstream words(line);
        Ingredient one;
        words >> one.amount >> one.unit;
        getline(words >> std::ws, one.name);
        items.push_back(one);
    }
    double factor = wanted / portions;
    double weight = 0;
    double most = 0;
    std::string heaviest = "none";
    for (size_t i = 0; i < items.size(); i++) {
        print(items[i], factor);
        if (items[i].unit == "g") {
            weight += items[i].amount * factor;
            if (items[i].amount > most) {
                most = items[i].amount;
                heaviest = items[i].name;
            }
        }
    }
    printf("Ingredients: %d\n", (int)items.size());
    printf("Weight: %.1f g\n", weight);
    printf("Most: %s\n", heaviest.c_str());
    return 0;
}
