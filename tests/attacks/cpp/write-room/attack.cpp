// Tries to write over what everybody may write. Safe: 0, failed.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <fcntl.h>
#include <unistd.h>

int main() {
    for (const char *name : {"/world/precious", "/world/left-behind", "/course/specs/cpp.yaml", "/home/left-behind"}) {
        std::string path = std::string(std::getenv("ROOM")) + name;
        std::printf(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666) >= 0 ? "harm: opened %s\n" : "refused\n", name);
        if (truncate(path.c_str(), 0) == 0 || unlink(path.c_str()) == 0) std::puts("harm: changed");
    }
    for (const char *name : {"/usr/bin/left-behind", "/etc/left-behind", "/srv/left-behind"})
        if (creat(name, 0666) >= 0) std::printf("harm: made %s\n", name);
}
