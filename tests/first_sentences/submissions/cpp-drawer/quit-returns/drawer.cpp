#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct Item {
    std::string name;
    int count;
};

class Drawer {
public:
    bool put(const std::string& name, int n) {
        if (n <= 0) return false;
        change(name, n);
        history.push_back({name, n});
        return true;
    }

    bool take(const std::string& name, int n) {
        if (count(name) < n) return false;
        change(name, -n);
        history.push_back({name, -n});
        return true;
    }

    int count(const std::string& name) const {
        for (const Item& item : items) {
            if (item.name == name) return item.count;
        }
        return 0;
    }

    bool undo() {
        if (history.empty()) return false;
        Item last = history.back();
        history.pop_back();
        change(last.name, -last.count);
        return true;
    }

    void list() {
        std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.name < b.name; });
        for (const Item& item : items) std::cout << item.name << " " << item.count << "\n";
        if (items.empty()) std::cout << "empty\n";
    }

    int total() const {
        int sum = 0;
        for (const Item& item : items) sum += item.count;
        return sum;
    }

private:
    void change(const std::string& name, int by) {
        for (size_t i = 0; i < items.size(); i++) {
            if (items[i].name == name) {
                items[i].count += by;
                if (items[i].count == 0) items.erase(items.begin() + i);
                return;
            }
        }
        items.push_back({name, by});
    }

    std::vector<Item> items;
    std::vector<Item> history;
};

int main() {
    Drawer drawer;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string command, name;
        int n = 0;
        words >> command >> name >> n;
        if (command == "quit") return 0;
        if (command == "put") {
            if (drawer.put(name, n))
                std::cout << name << ": " << drawer.count(name) << "\n";
            else
                std::cout << "bad number\n";
        } else if (command == "take") {
            if (n <= 0)
                std::cout << "bad number\n";
            else if (drawer.take(name, n))
                std::cout << name << ": " << drawer.count(name) << "\n";
            else if (drawer.count(name) == 0)
                std::cout << "no " << name << "\n";
            else
                std::cout << "only " << drawer.count(name) << " " << name << "\n";
        } else if (command == "count") {
            std::cout << name << ": " << drawer.count(name) << "\n";
        } else if (command == "list") {
            drawer.list();
        } else if (command == "undo") {
            std::cout << (drawer.undo() ? "undone\n" : "nothing to undo\n");
        } else {
            std::cout << "unknown: " << command << "\n";
        }
    }
    std::cout << "Things: " << drawer.total() << "\n";
    return 0;
}
