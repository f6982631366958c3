#include <algorithm>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

using namespace std;

struct Jumper {
    string name;
    double points;
};

bool better(const Jumper& a, const Jumper& b) {
    return a.points > b.points;
}

void order(vector<Jumper>& jumpers) {
    stable_sort(jumpers.begin(), jumpers.end(), better);
}

int main() {
    vector<Jumper> jumpers;
    string name;
    double distance;
    while (cin >> name >> distance) {
        double sum = 0, lowest = 20, highest = 0;
        for (int i = 0; i < 5; i++) {
            double mark;
            cin >> mark;
            sum += mark;
            lowest = min(lowest, mark);
            highest = max(highest, mark);
        }
        int points = 60 + 2 * (distance - 90) + sum - lowest - highest;
        if (points < 0) {
            points = 0;
        }
        jumpers.push_back({name, (double)points});
    }
    cout << fixed << setprecision(1);
    for (const Jumper& jumper : jumpers) {
        cout << jumper.name << ": " << jumper.points << endl;
    }
    order(jumpers);
    int rank = 0;
    for (size_t i = 0; i < jumpers.size(); i++) {
        if (i == 0 || jumpers[i].points != jumpers[i - 1].points) {
            rank = i + 1;
        }
        cout << rank << ". " << jumpers[i].name << endl;
    }
    if (jumpers.size() > 1) {
        cout << "Margin: " << jumpers[0].points - jumpers[1].points << endl;
    }
    return 0;
}
