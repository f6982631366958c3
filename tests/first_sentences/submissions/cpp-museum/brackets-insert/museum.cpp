#include <iostream>
#include <map>
#include <string>
#include <vector>

using namespace std;

vector<string> longNames(const map<string, int> &visits) {
    vector<string> names;
    for (const auto &pair : visits) {
        if (pair.first.size() > 4) {
            names.push_back(pair.first);
        }
    }
    return names;
}

string mark(int visits) {
    string text = "x";
    char sign = visits > 3 ? '+' : '-';
    text = string(1, sign) + "visits";
    return text;
}

int most(const map<string, int> &visits) {
    int best = 0;
    for (const auto &pair : visits) {
        if (pair.second > best) {
            best = pair.second;
        }
    }
    return best;
}

int main() {
    map<string, int> visits;
    string name, question;
    int number;
    cin >> question;
    while (cin >> name >> number) {
        visits[name] += number;
    }
    if (visits[question] == 0) {
        cout << question << " is not there" << endl;
    }
    cout << "Rooms: " << visits.size() << endl;
    for (const auto &pair : visits) {
        cout << pair.first << ": " << pair.second << " " << mark(pair.second) << endl;
    }
    cout << "Long: " << longNames(visits).size() << endl;
    cout << "Most: " << most(visits) << endl;
}
