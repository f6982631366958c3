#include <cstdlib>
#include <iostream>
#include <vector>
int main(int argc, char **argv) {
    std::vector<int> numbers(10);
    volatile int seen = numbers.data()[12] == 5;
    long n = std::atol(argv[1]);
    std::cout << n * (n + 1) / 2 << std::endl;
}
