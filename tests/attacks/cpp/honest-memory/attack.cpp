#include <fstream>
#include <iostream>
#include <map>
#include <memory>

int main(int, char **argv) {
    std::ofstream("n.txt") << argv[1];
    long n = 0;
    std::ifstream("n.txt") >> n;
    std::map<long, std::unique_ptr<long>> all;
    for (long i = 1; i <= n; i++) all[i] = std::make_unique<long>(i);
    long sum = 0;
    for (const auto &[_, value] : all) sum += *value;
    std::cout << sum << '\n';
}
