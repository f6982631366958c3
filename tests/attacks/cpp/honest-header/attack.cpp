#include "lib/sum.h"
#include <iostream>
#include <stdexcept>

int main(int argc, char **argv) {
    try {
        if (argc != 2) throw std::invalid_argument("usage");
        std::cout << sum(std::stol(argv[1])) << "\n";
    } catch (const std::exception &error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
