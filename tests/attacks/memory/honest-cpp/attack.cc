#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <thread>
int main(int argc, char **argv) {
    std::map<std::string, std::unique_ptr<long>> sums;
    std::thread([&] { sums["n"] = std::make_unique<long>(std::atol(argv[1])); }).join();
    try {
        throw std::string("n");
    } catch (const std::string &name) {
        std::cout << *sums[name] * (*sums[name] + 1) / 2 << std::endl;
    }
}
