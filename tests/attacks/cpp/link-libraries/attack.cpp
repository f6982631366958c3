// Tries to shadow libraries of the linker and the loader. Safe: 10, passed.
#include <cstdlib>
#include <iostream>
int main(int, char **argv) {
    long n = std::atol(argv[1]);
    std::cout << n * (n + 1) / 2 << '\n';
}
