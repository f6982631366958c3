// Tries to print without end. Safe: 0, output.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <fcntl.h>
#include <unistd.h>

int main() {
    alarm(10);
    static char text[65536];
    std::memset(text, 'x', sizeof text);
    while (write(1, text, sizeof text) > 0 && write(2, text, sizeof text) > 0) { }
}
