// Tries to fill the disk. Safe: 0, failed or crashed or timeout or output or memory.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <fcntl.h>
#include <unistd.h>

int main() {
    signal(SIGXFSZ, SIG_IGN);
    static char block[1 << 24];
    std::memset(block, 1, sizeof block);
    for (int i = 0; i < 200; i++)
        for (const char *folder : {"/tmp", ".", "/dev/shm"}) {
            int file = creat((std::string(folder) + "/file-" + std::to_string(i)).c_str(), 0600);
            if (file >= 0 && write(file, block, sizeof block) < 0) close(file);
        }
}
