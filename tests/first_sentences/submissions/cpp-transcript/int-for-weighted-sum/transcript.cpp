#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <string>
#include <vector>

using std::cin;
using std::cout;
using std::map;
using std::string;
using std::vector;

struct Record {
    string name;
    int credits = 0;
    int weighted = 0;   // credits times grade, summed up
};

double mean(const Record& r) {
    return (double) r.weighted / r.credits;
}

int main() {
    map<string, Record> records;
    map<string, int> fails;
    string who, what;
    int cp;
    double grade;
    int failed = 0;

    while (cin >> who >> what >> cp >> grade) {
        records[who].name = who;
        if (grade > 4.0) {
            failed++;
            fails[what]++;
            continue;
        }
        records[who].credits += cp;
        records[who].weighted += cp * grade;
    }

    if (records.empty()) {
        cout << "No exams\n";
        return 0;
    }

    vector<Record> passed, rest;
    for (const auto& entry : records) {
        if (entry.second.credits > 0)
            passed.push_back(entry.second);
        else
            rest.push_back(entry.second);
    }
    std::stable_sort(passed.begin(), passed.end(),
                     [](const Record& a, const Record& b) { return mean(a) < mean(b); });

    cout << std::fixed << std::setprecision(2);
    for (const auto& r : passed)
        cout << r.name << ": " << r.credits << " credits, average " << mean(r) << "\n";
    for (const auto& r : rest)
        cout << r.name << ": nothing passed\n";
    cout << "Failed: " << failed << "\n";

    int most = 0;
    string hardest;
    for (const auto& entry : fails) {
        if (entry.second > most) {
            most = entry.second;
            hardest = entry.first;
        }
    }
    if (most > 0)
        cout << "Hardest: " << hardest << "\n";
}
