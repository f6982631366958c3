// Tries to start processes and threads without end. Safe: 0, failed or crashed or timeout or memory.
#include <chrono>
#include <thread>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <fcntl.h>
#include <unistd.h>

int main() {
    alarm(3);
    auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
    while (std::chrono::steady_clock::now() < end) {
        fork();
        try { std::thread([] { sleep(3); }).detach(); } catch (...) { }
    }
    _exit(0);
}
