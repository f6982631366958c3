// Tries to leave a file for the next case. Safe: 0, failed.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <fcntl.h>
#include <unistd.h>

int main() {
    for (const char *folder : {".", "/tmp", "/var/tmp", "/dev/shm", "/tmp/.X11-unix", "/run/lock"}) {
        std::string path = std::string(folder) + "/left-behind-cpp";
        if (access(path.c_str(), F_OK) == 0) std::printf("harm: met %s\n", path.c_str());
        creat(path.c_str(), 0666);
    }
}
