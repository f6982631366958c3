#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>


class Meal {
public:
    string name;
    string day;
    double kcal;

    Meal(string name, string day, double kcal) {
        this->name = name;
        this->day = day;
        this->kcal = kcal;
    }
};

struct Day {
    double sum = 0;
    int count = 0;
};

bool isNobody(const Meal &meal) {
    return meal.name == "-";
}

int main() {
    vector<Meal> meals;
    string line;
    while (getline(cin, line)) {
        stringstream parts(line);
        string name;
        string day;
        string kcal;
        getline(parts, name, ';');
        getline(parts, day, ';');
        getline(parts, kcal);
        try {
            meals.push_back(Meal(name, day, stod(kcal)));
        } catch (const invalid_argument &error) {
            cout << "Bad: " << line << endl;
        }
    }
    meals.erase(remove_if(meals.begin(), meals.end(), isNobody), meals.end());
    map<string, Day> days;
    for (const Meal &meal : meals) {
        Day &day = days[meal.day];
        day.sum += meal.kcal;
        day.count++;
    }
    cout << fixed << setprecision(1);
    for (const auto &entry : days) {
        cout << entry.first << ": " << entry.second.sum << " (" << entry.second.count << ")" << endl;
    }
    int light = 0;
    double best = -1;
    string most = "none";
    for (const Meal &meal : meals) {
        if (meal.kcal < 300) {
            light++;
        }
        if (meal.kcal > best) {
            best = meal.kcal;
            most = meal.name;
        }
    }
    int pairs = 0;
    for (size_t i = 0; i + 1 < meals.size(); i++) {
        if (meals[i].name == meals[i + 1].name) {
            pairs++;
        }
    }
    cout << "Light: " << light << endl;
    cout << "Most: " << most << endl;
    cout << "Pairs: " << pairs << endl;
    return 0;
}
