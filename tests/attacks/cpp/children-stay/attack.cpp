// Tries to leave children that hold the output open. Safe: 0, failed.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <fcntl.h>
#include <unistd.h>

int main() {
    for (int i = 0; i < 4; i++)
        if (fork() == 0) {
            setsid();
            signal(SIGTERM, SIG_IGN);
            if (fork() == 0) execl("/bin/sh", "kworker", "-c", "sleep 30; : left-behind", nullptr);
            _exit(0);
        }
    usleep(200000);
    std::puts("done");
}
