#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

using namespace std;

struct Customer {
    string name;
    int minutes;
    int joined;
};

void leave(vector<Customer> &line, const string &name) {
    size_t i = 0;
    while (i < line.size()) {
        if (line[i].name == name)
            line.erase(line.begin() + i);
        else
            i++;
    }
}

void show(const vector<Customer> &line) {
    if (line.empty())
        return;
    for (size_t i = 0; i < line.size(); i++) {
        if (i > 0)
            cout << ", ";
        cout << line[i].name;
    }
    cout << endl;
}

int main() {
    vector<Customer> line;
    int now = 0;
    int served = 0;
    int waited = 0;
    string command, name;
    int minutes;
    while (cin >> command) {
        if (command == "join") {
            cin >> name >> minutes;
            line.push_back({name, minutes, now});
        } else if (command == "leave") {
            cin >> name;
            leave(line, name);
        } else if (command == "show") {
            show(line);
        } else if (command == "serve") {
            if (line.empty()) {
                cout << "Nobody" << endl;
                continue;
            }
            Customer first = line.front();
            line.erase(line.begin());
            int wait = now - first.joined;
            cout << first.name << " waited " << wait << endl;
            now += first.minutes;
            waited += wait;
            served++;
        }
    }
    cout << "Served: " << served << endl;
    if (served == 0)
        cout << "Average wait: -" << endl;
    else
        cout << "Average wait: " << fixed << setprecision(1) << (double)waited / served << endl;
    return 0;
}
