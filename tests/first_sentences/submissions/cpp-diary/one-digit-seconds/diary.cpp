#include <cstdio>
#include <iostream>
#include <map>
#include <utility>
using namespace std;

int main() {
    map<int, pair<double, int>> runs;
    int day, minutes;
    double km;
    while (cin >> day >> km >> minutes) {
        runs[day] = {km, minutes};
    }
    double total = 0, longest = 0;
    int best = 0;
    for (auto &run : runs) {
        double distance = run.second.first;
        int pace = (int)(run.second.second * 60 / distance);
        printf("%d: %.1f km, %d:%d min/km\n", run.first, distance, pace / 60, pace % 60);
        total += distance;
        if (distance > longest) {
            longest = distance;
            best = run.first;
        }
    }
    int first = runs.begin()->first, last = runs.rbegin()->first;
    printf("Total: %.1f\n", total);
    printf("Longest: %d\n", best);
    printf("Days off: %d\n", last - first + 1 - (int)runs.size());
    return 0;
}
