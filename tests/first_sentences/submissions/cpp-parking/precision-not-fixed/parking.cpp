#include <iomanip>
#include <iostream>
#include <map>
#include <string>

using namespace std;

double fee(int minutes)
{
    int hours = (minutes + 59) / 60;
    double price = hours * 2.5;
    if (price > 20) {
        price = 20;
    }
    return price;
}

int main()
{
    map<string, int> cars;
    double income = 0;
    string command, plate;
    int minute;

    cout << setprecision(2);
    while (cin >> command) {
        if (command == "list") {
            if (cars.empty()) {
                cout << "Empty" << endl;
            }
            for (auto &car : cars) {
                cout << car.first << endl;
            }
            continue;
        }
        cin >> plate >> minute;
        if (command == "in") {
            if (cars.count(plate)) {
                cout << plate << " is already here" << endl;
            } else {
                cars[plate] = minute;
            }
        } else if (cars.count(plate) == 0) {
            cout << plate << " is not here" << endl;
        } else {
            double price = fee(minute - cars[plate]);
            cout << plate << ": " << price << endl;
            income += price;
            cars.erase(plate);
        }
    }
    cout << "Income: " << income << endl;
    return 0;
}
