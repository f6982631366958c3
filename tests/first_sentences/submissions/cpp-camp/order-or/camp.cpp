#include <algorithm>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

struct Guest {
    string name;
    string kind;
    int nights;
    int persons;
    double price;
};

double priceOf(const Guest &g) {
    double price;
    if (g.kind == "tent") {
        price = g.nights * (12.5 + 4.0 * g.persons);
    } else {
        price = g.nights * 55.0;
        if (g.persons > 2) {
            price += g.nights * 9.0 * (g.persons - 2);
        }
    }
    if (g.nights >= 7) {
        price *= 0.9;
    }
    return price;
}

bool before(const Guest &a, const Guest &b) {
    return a.price > b.price || a.name < b.name;
}

void readGuests(vector<Guest> &guests) {
    Guest g;
    while (cin >> g.name >> g.kind >> g.nights >> g.persons) {
        g.price = priceOf(g);
        guests.push_back(g);
    }
}

string findLongest(const vector<Guest> &guests, int &nights) {
    nights = guests[0].nights;
    string name = guests[0].name;
    for (const Guest &g : guests) {
        if (g.nights > nights) {
            nights = g.nights;
            name = g.name;
        }
    }
    return name;
}

string plural(int nights) {
    return nights == 1 ? "1 night" : to_string(nights) + " nights";
}

int main() {
    vector<Guest> guests;
    readGuests(guests);
    if (guests.empty()) {
        cout << "No guests" << endl;
        return 0;
    }
    int most;
    string longest = findLongest(guests, most);
    sort(guests.begin(), guests.end(), before);
    int tents = 0, cabins = 0, nights = 0;
    double tentSum = 0, cabinSum = 0;
    cout << fixed << setprecision(2);
    for (const Guest &g : guests) {
        cout << g.name << " " << g.kind << " " << plural(g.nights) << ": " << g.price << endl;
        nights += g.nights;
        if (g.kind == "tent") {
            tents++;
            tentSum += g.price;
        } else {
            cabins++;
            cabinSum += g.price;
        }
    }
    cout << "Tents: " << tents << " (" << tentSum << ")" << endl;
    cout << "Cabins: " << cabins << " (" << cabinSum << ")" << endl;
    cout << "Total: " << tentSum + cabinSum << endl;
    cout << setprecision(1) << "Mean stay: " << (double)nights / guests.size() << " nights" << endl;
    cout << "Longest: " << longest << " (" << plural(most) << ")" << endl;
    return 0;
}
