#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

using Contents = std::map<std::string, int>;

class Session {
    Contents contents;
    std::vector<Contents> snapshots;
    std::unordered_map<std::string, std::function<void(std::istream&)>> handlers;

    void show(const std::string& name) const {
        auto found = contents.find(name);
        std::cout << name << ": " << (found == contents.end() ? 0 : found->second) << '\n';
    }

public:
    Contents getContents() const { return contents; }

    Session() {
        handlers["put"] = [this](std::istream& in) { put(in); };
        handlers["take"] = [this](std::istream& in) { take(in); };
        handlers["list"] = [this](std::istream&) { list(); };
        handlers["undo"] = [this](std::istream&) { undo(); };
        handlers["count"] = [this](std::istream& in) {
            std::string name;
            in >> name;
            show(name);
        };
    }

    void put(std::istream& in) {
        std::string name;
        int n;
        in >> name >> n;
        if (n < 1) {
            std::cout << "bad number\n";
            return;
        }
        snapshots.push_back(contents);
        getContents()[name] += n;
        show(name);
    }

    void take(std::istream& in) {
        std::string name;
        int n;
        in >> name >> n;
        if (n < 1) {
            std::cout << "bad number\n";
            return;
        }
        auto found = contents.find(name);
        if (found == contents.end()) {
            std::cout << "no " << name << '\n';
        } else if (found->second < n) {
            std::cout << "only " << found->second << ' ' << name << '\n';
        } else {
            snapshots.push_back(contents);
            found->second -= n;
            if (found->second == 0) contents.erase(found);
            show(name);
        }
    }

    void list() const {
        if (contents.empty()) std::cout << "empty\n";
        for (const auto& [name, n] : contents) std::cout << name << ' ' << n << '\n';
    }

    void undo() {
        if (snapshots.empty()) {
            std::cout << "nothing to undo\n";
            return;
        }
        contents = snapshots.back();
        snapshots.pop_back();
        std::cout << "undone\n";
    }

    int total() const {
        return std::accumulate(contents.begin(), contents.end(), 0, [](int sum, const auto& entry) { return sum + entry.second; });
    }

    void handle(const std::string& command, std::istream& in) {
        auto handler = handlers.find(command);
        if (handler == handlers.end())
            std::cout << "unknown: " << command << '\n';
        else
            handler->second(in);
    }
};

int main() {
    Session session;
    for (std::string line, command; std::getline(std::cin, line);) {
        std::istringstream in(line);
        in >> command;
        if (command == "quit") break;
        session.handle(command, in);
    }
    std::cout << "Things: " << session.total() << '\n';
}
