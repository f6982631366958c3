#include <iostream>
#include <map>
#include <string>

class Stock {
public:
    void add(const std::string &name, int n) {
        pieces[name] = n;
    }

    bool take(const std::string &name, int n) {
        auto found = pieces.find(name);
        int have = found == pieces.end() ? 0 : found->second;
        if (have < n) {
            std::cout << "Only " << have << " " << name << "\n";
            return false;
        }
        found->second -= n;
        return true;
    }

    void report() const {
        if (pieces.empty()) {
            std::cout << "Empty\n";
        }
        for (const auto &one : pieces) {
            std::cout << one.first << ": " << one.second << "\n";
        }
    }

private:
    std::map<std::string, int> pieces;
};

int main() {
    Stock stock;
    std::string command, name;
    int n;
    while (std::cin >> command) {
        if (command == "report") {
            stock.report();
            continue;
        }
        std::cin >> name >> n;
        if (command == "add") {
            stock.add(name, n);
        } else {
            stock.take(name, n);
        }
    }
    return 0;
}
