// Tries to plant links and pipes for whoever collects its files. Safe: 0, failed.
#include <fstream>
#include <sys/stat.h>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <fcntl.h>
#include <unistd.h>

int main() {
    std::string room = std::getenv("ROOM"), text;
    for (const std::string &from : {room + "/home/.netrc", std::string("/etc/shadow"), room}) {
        unlink("a");
        if (symlink(from.c_str(), "a") == 0 && std::getline(std::ifstream("a"), text)) std::puts("harm: read");
    }
    if (link((room + "/world/precious").c_str(), "b") == 0) std::puts("harm: linked");
    mkfifo("pipe", 0666);
    mknod("device", S_IFCHR | 0666, 0x103);
    mknod("disk", S_IFBLK | 0666, 0x800);
}
