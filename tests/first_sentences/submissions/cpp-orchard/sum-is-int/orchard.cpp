#include <algorithm>
#include <iomanip>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace std;

class Tree {
private:
    string kind;
    int year;
    vector<double> harvests;

public:
    Tree(string k, int y) {
        kind = k;
        year = y;
    }

    void add(double kg) {
        harvests.push_back(kg);
    }

    string getKind() const { return kind; }
    int getYear() const { return year; }

    double total() const {
        int sum = 0;
        for (double kg : harvests) {
            sum += kg;
        }
        return sum;
    }

    double mean() const {
        if (harvests.empty()) {
            return 0;
        }
        return total() / harvests.size();
    }
};

bool older(const Tree &a, const Tree &b) {
    return a.getYear() < b.getYear();
}

int main() {
    vector<Tree> trees;
    string line;
    while (getline(cin, line)) {
        istringstream words(line);
        string kind;
        int year;
        words >> kind >> year;
        Tree tree(kind, year);
        double kg;
        while (words >> kg) {
            tree.add(kg);
        }
        trees.push_back(tree);
    }
    stable_sort(trees.begin(), trees.end(), older);
    set<string> kinds;
    int bare = 0;
    size_t best = 0;
    cout << fixed << setprecision(1);
    for (size_t i = 0; i < trees.size(); i++) {
        cout << trees[i].getKind() << " " << trees[i].getYear() << ": " << trees[i].total() << " kg, " << trees[i].mean() << " a year" << endl;
        kinds.insert(trees[i].getKind());
        if (trees[i].total() == 0) {
            bare++;
        }
        if (trees[i].mean() > trees[best].mean()) {
            best = i;
        }
    }
    cout << "Best: " << trees[best].getKind() << " " << trees[best].getYear() << endl;
    cout << "Kinds: ";
    bool first = true;
    for (const string &kind : kinds) {
        if (!first) {
            cout << ", ";
        }
        cout << kind;
        first = false;
    }
    cout << endl;
    cout << "Bare: " << bare << endl;
    return 0;
}
