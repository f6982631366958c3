#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

class Stay {
protected:
    std::string name;
    int nights;
    int persons;

public:
    Stay(const std::string& name, int nights, int persons) : name(name), nights(nights), persons(persons) {}
    virtual ~Stay() {}

    virtual double perNight() const = 0;
    virtual std::string kind() const = 0;

    double price() const {
        double sum = nights * perNight();
        if (nights > 7) sum = sum - sum / 10;
        return sum;
    }
    const std::string& getName() const { return name; }
    int getNights() const { return nights; }
};

class Tent : public Stay {
public:
    Tent(const std::string& name, int nights, int persons) : Stay(name, nights, persons) {}
    double perNight() const override { return 12.5 + 4 * persons; }
    std::string kind() const override { return "tent"; }
};

class Cabin : public Stay {
public:
    Cabin(const std::string& name, int nights, int persons) : Stay(name, nights, persons) {}
    double perNight() const override { return 55 + 9 * std::max(0, persons - 2); }
    std::string kind() const override { return "cabin"; }
};

std::string nightsText(int nights) {
    return std::to_string(nights) + (nights == 1 ? " night" : " nights");
}

int main() {
    std::vector<std::unique_ptr<Stay>> stays;
    std::string name, kind;
    int nights, persons;
    while (std::cin >> name >> kind >> nights >> persons) {
        if (kind == "tent")
            stays.push_back(std::make_unique<Tent>(name, nights, persons));
        else
            stays.push_back(std::make_unique<Cabin>(name, nights, persons));
    }
    if (stays.empty()) {
        std::cout << "No guests\n";
        return 0;
    }
    std::string longestName;
    int longest = 0;
    int sumNights = 0;
    for (const auto& s : stays) {
        sumNights += s->getNights();
        if (s->getNights() > longest) {
            longest = s->getNights();
            longestName = s->getName();
        }
    }
    std::sort(stays.begin(), stays.end(), [](const auto& a, const auto& b) {
        if (a->price() != b->price()) return a->price() > b->price();
        return a->getName() < b->getName();
    });
    int count[2] = {0, 0};
    double sums[2] = {0, 0};
    std::cout << std::fixed << std::setprecision(2);
    for (const auto& s : stays) {
        std::cout << s->getName() << " " << s->kind() << " " << nightsText(s->getNights()) << ": " << s->price() << "\n";
        int which = s->kind() == "tent" ? 0 : 1;
        count[which]++;
        sums[which] += s->price();
    }
    std::cout << "Tents: " << count[0] << " (" << sums[0] << ")\n";
    std::cout << "Cabins: " << count[1] << " (" << sums[1] << ")\n";
    std::cout << "Total: " << sums[0] + sums[1] << "\n";
    std::cout << std::setprecision(1) << "Mean stay: " << static_cast<double>(sumNights) / stays.size() << " nights\n";
    std::cout << "Longest: " << longestName << " (" << nightsText(longest) << ")\n";
    return 0;
}
