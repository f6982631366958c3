// Tries to burn time without end and refuse to be ended. Safe: 0, timeout.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <fcntl.h>
#include <unistd.h>

int main() {
    for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
    for (volatile unsigned long i = 0; i < 60000000000; i++) { }
}
