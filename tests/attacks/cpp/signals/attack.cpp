// Tries to kill what is not its own. Safe: 0, failed or crashed or timeout.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <fcntl.h>
#include <unistd.h>

int main() {
    int victim = std::atoi(std::getenv("VICTIM"));
    for (int pid : {victim, -victim, (int)getppid(), -1})
        for (int number : {SIGSTOP, SIGKILL})
            if (pid != -1 || number == SIGKILL) kill(pid, number);
}
