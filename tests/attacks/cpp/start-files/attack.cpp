// Tries to have the compiler run programs and read settings from beside the source. Safe: 10, passed.
#include <cstdlib>
#include <iostream>
int main(int, char **argv) {
    long n = std::atol(argv[1]);
    std::cout << n * (n + 1) / 2 << '\n';
}
