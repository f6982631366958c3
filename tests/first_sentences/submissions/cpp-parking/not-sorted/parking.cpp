#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

struct Car {
    std::string plate;
    int since;
};

class Park {
public:
    void enter(const std::string &plate, int minute);
    void leave(const std::string &plate, int minute);
    void list() const;
    double income = 0;

private:
    std::vector<Car> cars;
    int find(const std::string &plate) const;
};

int Park::find(const std::string &plate) const
{
    for (unsigned int i = 0; i < cars.size(); i++)
        if (cars[i].plate == plate)
            return i;
    return -1;
}

void Park::enter(const std::string &plate, int minute)
{
    if (find(plate) >= 0)
        std::cout << plate << " is already here\n";
    else
        cars.push_back({plate, minute});
}

void Park::leave(const std::string &plate, int minute)
{
    int place = find(plate);
    if (place < 0) {
        std::cout << plate << " is not here\n";
        return;
    }
    int minutes = minute - cars[place].since;
    int hours = minutes / 60;
    if (minutes % 60 > 0)
        hours++;
    double price = std::min(20.0, hours * 2.5);
    printf("%s: %.2f\n", plate.c_str(), price);
    fflush(stdout);
    income += price;
    cars.erase(cars.begin() + place);
}

void Park::list() const
{
    std::vector<std::string> plates;
    for (const Car &car : cars)
        plates.push_back(car.plate);
    if (plates.empty())
        std::cout << "Empty\n";
    for (const std::string &plate : plates)
        std::cout << plate << "\n";
    std::cout.flush();
}

int main()
{
    Park park;
    std::string command, plate;
    int minute;
    while (std::cin >> command) {
        switch (command[0]) {
        case 'i':
            std::cin >> plate >> minute;
            park.enter(plate, minute);
            break;
        case 'o':
            std::cin >> plate >> minute;
            park.leave(plate, minute);
            break;
        case 'l':
            park.list();
            break;
        }
        std::cout.flush();
    }
    printf("Income: %.2f\n", park.income);
}
