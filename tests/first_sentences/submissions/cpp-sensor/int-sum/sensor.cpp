#include <iomanip>
#include <iostream>
#include <vector>

using namespace std;

struct Reading {
    int second;
    double value;
};

double mean(const vector<Reading>& readings) {
    int sum = 0;
    for (size_t i = 0; i < readings.size(); i++) {
        sum += readings[i].value;
    }
    return sum / readings.size();
}

int main() {
    vector<Reading> readings;
    Reading r;
    while (cin >> r.second >> r.value) {
        readings.push_back(r);
    }
    if (readings.empty()) {
        cout << "No data" << endl;
        return 0;
    }
    double lowest = readings[0].value;
    double highest = readings[0].value;
    int rises = 0;
    for (size_t i = 1; i < readings.size(); i++) {
        if (readings[i].value < lowest) {
            lowest = readings[i].value;
        }
        if (readings[i].value > highest) {
            highest = readings[i].value;
        }
        if (readings[i].value > readings[i - 1].value) {
            rises++;
        }
    }
    cout << fixed << setprecision(1);
    cout << "Readings: " << readings.size() << endl;
    cout << "Lowest: " << lowest << endl;
    cout << "Highest: " << highest << endl;
    cout << "Mean: " << mean(readings) << endl;
    cout << "Rises: " << rises << endl;
    int gaps = 0;
    int length = 0;
    for (size_t i = 1; i < readings.size(); i++) {
        int apart = readings[i].second - readings[i - 1].second;
        if (apart > 10) {
            cout << "Gap: " << readings[i - 1].second << " to " << readings[i].second << endl;
            gaps++;
            length += apart;
        }
    }
    cout << "Gaps: " << gaps << ", " << length << " s" << endl;
    return 0;
}
