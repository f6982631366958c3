// Tries to fill the memory. Safe: 0, crashed or memory.
#include <vector>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <fcntl.h>
#include <unistd.h>

int main() {
    std::vector<std::string> all;
    for (;;) all.emplace_back(1 << 20, 'x');
}
