#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace std;

int main(int argc, char *argv[]) {
    int limit = argc > 1 ? stoi(argv[1]) : 1;
    map<string, set<string>> friends;
    string one, other;
    while (!cin.eof()) {
        cin >> one >> other;
        friends[one].insert(other);
        friends[other].insert(one);
    }
    vector<string> names;
    int ties = 0;
    for (const auto &entry : friends) {
        ties += entry.second.size();
        if ((int) entry.second.size() >= limit) {
            names.push_back(entry.first);
        }
    }
    stable_sort(names.begin(), names.end(), [&](const string &a, const string &b) {
        return friends[a].size() > friends[b].size();
    });
    for (const string &name : names) {
        cout << name << ":";
        for (const string &it : friends[name]) {
            cout << " " << it;
        }
        cout << " (" << friends[name].size() << ")" << endl;
    }
    cout << "People: " << friends.size() << endl;
    cout << "Friendships: " << ties / 2 << endl;
    return 0;
}
