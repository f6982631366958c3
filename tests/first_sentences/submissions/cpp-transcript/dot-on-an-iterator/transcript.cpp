#include <iostream>
#include <iomanip>
#include <map>
#include <string>
#include <vector>
#include <algorithm>

using namespace std;

struct Sum {
    int credits = 0;
    double points = 0.0;
};

int main()
{
    map<string, Sum> sums;
    map<string, int> failed;
    int count = 0;

    string student, course;
    int credits;
    double grade;
    while (cin >> student >> course >> credits >> grade) {
        sums[student];
        if (grade <= 4.0) {
            sums[student].credits += credits;
            sums[student].points += grade * credits;
        } else {
            count++;
            failed[course]++;
        }
    }

    if (sums.empty()) {
        cout << "No exams" << endl;
        return 0;
    }

    vector<pair<double, string>> order;
    vector<string> none;
    for (auto it = sums.begin(); it != sums.end(); it++) {
        if (it.second.credits == 0) {
            none.push_back(it.first);
        } else {
            order.push_back({it.second.points / it.second.credits, it.first});
        }
    }
    sort(order.begin(), order.end());

    for (auto &p : order)
        cout << p.second << ": " << sums[p.second].credits << " credits, average "
             << fixed << setprecision(2) << p.first << endl;
    for (auto &n : none)
        cout << n << ": nothing passed" << endl;

    cout << "Failed: " << count << endl;
    if (count > 0) {
        string hardest;
        int most = 0;
        for (auto &f : failed) {
            if (f.second > most) {
                most = f.second;
                hardest = f.first;
            }
        }
        cout << "Hardest: " << hardest << endl;
    }
    return 0;
}
