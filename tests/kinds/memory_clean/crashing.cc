#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static int third(const std::vector<int> &numbers) {
    return numbers.at(2);
}
int main(int, char **argv) {
    std::string how = argv[1];
    if (how == "at") return third({1, 2});
    if (how == "number") throw 42;
    if (how == "empty") { std::vector<int> none; none.clear(); return none[5000000]; }
    if (how == "own") throw std::runtime_error("no such\nroute");
    if (how == "thread") std::thread([] {});
    return 0;
}
