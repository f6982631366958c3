#include <algorithm>
#include <iomanip>
#include <iostream>
#include <vector>

using namespace std;

int main() {
    vector<pair<int, int>> spans;
    int from, to;
    while (cin >> from >> to) {
        spans.push_back({from, to});
    }
    sort(spans.begin(), spans.end());
    int total = 0;
    for (const auto& span : spans) {
        total += span.second - span.first;
    }
    int covered = 0;
    int longest = 0;
    int start = spans[0].first;
    int end = spans[0].second;
    for (size_t i = 1; i < spans.size(); i++) {
        if (spans[i].first <= end) {
            end = max(end, spans[i].second);
        } else {
            cout << start << "-" << end << endl;
            covered += end - start;
            longest = max(longest, end - start);
            start = spans[i].first;
            end = spans[i].second;
        }
    }
    cout << "Covered: " << covered << endl;
    cout << "Longest: " << longest << endl;
    cout << fixed << setprecision(1) << "Mean: " << double(total) / spans.size() << endl;
    return 0;
}
