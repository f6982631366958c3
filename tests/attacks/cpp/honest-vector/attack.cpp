#include <iostream>
#include <numeric>
#include <string>
#include <vector>

int main(int argc, char **argv) {
    std::vector<std::string> args(argv + 1, argv + argc);
    std::vector<long> numbers(std::stoul(args.at(0)));
    std::iota(numbers.begin(), numbers.end(), 1);
    std::cout << std::accumulate(numbers.begin(), numbers.end(), 0L) << std::endl;
}
