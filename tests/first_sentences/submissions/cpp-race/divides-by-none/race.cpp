#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace std;

struct Runner {
    string name;
    int seconds;
    int age;
};

bool faster(const Runner& a, const Runner& b) {
    if (a.seconds != b.seconds) {
        return a.seconds < b.seconds;
    }
    return a.name < b.name;
}

string shown(int seconds) {
    ostringstream out;
    out << seconds / 60 << ":" << setw(2) << setfill('0') << seconds % 60;
    return out.str();
}

int main() {
    vector<Runner> runners;
    string name;
    int minutes, seconds, age;
    char colon;
    while (cin >> name >> minutes >> colon >> seconds >> age) {
        runners.push_back({name, minutes * 60 + seconds, age});
    }
    sort(runners.begin(), runners.end(), faster);
    int sum = 0;
    int seniors = 0;
    for (size_t i = 0; i < runners.size(); i++) {
        cout << i + 1 << ". " << runners[i].name << " " << shown(runners[i].seconds) << endl;
        sum += runners[i].seconds;
        if (runners[i].age >= 60) {
            seniors++;
        }
    }
    cout << "Mean: " << shown(sum / (int)runners.size()) << endl;
    cout << "Seniors: " << seniors << endl;
    cout << "Gap: " << runners.back().seconds - runners.front().seconds << " s" << endl;
    return 0;
}
