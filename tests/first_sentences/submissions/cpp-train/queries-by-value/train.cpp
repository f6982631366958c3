#include <iostream>
#include <string>
#include <vector>
using namespace std;

struct Station {
    string name;
    int minutes;
};

int find(const vector<Station>& line, const string& name) {
    for (size_t i = 0; i < line.size(); i++) {
        if (line[i].name == name) {
            return i;
        }
    }
    return -1;
}

void served(int queries) {
    queries++;
}

int main() {
    int n;
    cin >> n;
    vector<Station> line(n);
    for (int i = 0; i < n; i++) {
        cin >> line[i].name >> line[i].minutes;
    }
    int queries = 0;
    string from, to;
    while (cin >> from >> to) {
        int a = find(line, from);
        int b = find(line, to);
        if (a < 0 || b < 0) {
            cout << "No station " << (a < 0 ? from : to) << endl;
            continue;
        }
        if (a > b) {
            swap(a, b);
        }
        int sum = 0;
        for (int i = a + 1; i <= b; i++) {
            sum += line.at(i).minutes;
        }
        cout << from << " -> " << to << ": " << sum << " min" << endl;
        served(queries);
    }
    cout << "Queries: " << queries << endl;
    return 0;
}
