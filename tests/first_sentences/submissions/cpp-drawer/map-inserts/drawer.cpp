#include <iostream>
#include <map>
#include <string>
#include <vector>
using namespace std;

int main() {
    map<string, int> things;
    vector<string> lastNames;
    vector<int> lastAmounts;
    string command, name;
    int n;
    while (cin >> command) {
        if (command == "quit") {
            break;
        } else if (command == "put") {
            cin >> name >> n;
            if (n <= 0) {
                cout << "bad number" << endl;
            } else {
                things[name] += n;
                lastNames.push_back(name);
                lastAmounts.push_back(n);
                cout << name << ": " << things[name] << endl;
            }
        } else if (command == "take") {
            cin >> name >> n;
            if (n <= 0) {
                cout << "bad number" << endl;
            } else if (things[name] == 0) {
                cout << "no " << name << endl;
            } else if (things[name] < n) {
                cout << "only " << things[name] << " " << name << endl;
            } else {
                things[name] -= n;
                lastNames.push_back(name);
                lastAmounts.push_back(-n);
                cout << name << ": " << things[name] << endl;
            }
        } else if (command == "count") {
            cin >> name;
            cout << name << ": " << things[name] << endl;
        } else if (command == "list") {
            bool any = false;
            for (auto entry : things) {
                cout << entry.first << " " << entry.second << endl;
                any = true;
            }
            if (!any) {
                cout << "empty" << endl;
            }
        } else if (command == "undo") {
            if (lastNames.size() == 0) {
                cout << "nothing to undo" << endl;
            } else {
                things[lastNames.back()] -= lastAmounts.back();
                lastNames.pop_back();
                lastAmounts.pop_back();
                cout << "undone" << endl;
            }
        } else {
            string rest;
            getline(cin, rest);
            cout << "unknown: " << command << endl;
        }
    }
    int sum = 0;
    for (auto entry : things) {
        sum += entry.second;
    }
    cout << "Things: " << sum << endl;
    return 0;
}
