// Tries to reach a server of the machine. Safe: 0, failed.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <fcntl.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
int main() {
    alarm(2);
    sockaddr_in there{};
    there.sin_family = AF_INET, there.sin_port = htons(std::atoi(std::getenv("PORT"))), there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int one = socket(AF_INET, SOCK_STREAM, 0);
    std::puts(one >= 0 && connect(one, (sockaddr *)&there, sizeof there) == 0 ? "harm: connected" : "refused");
    int two = socket(AF_INET, SOCK_DGRAM, 0);
    if (two >= 0) sendto(two, "left-behind", 11, 0, (sockaddr *)&there, sizeof there);
    sockaddr_un named{};
    named.sun_family = AF_UNIX;
    std::snprintf(named.sun_path, sizeof named.sun_path, "%s/world/socket", std::getenv("ROOM"));
    std::puts(connect(socket(AF_UNIX, SOCK_STREAM, 0), (sockaddr *)&named, sizeof named) == 0 ? "harm: connected" : "refused");
    for (int family : {AF_PACKET, 40, 38, 31, 16})
        if (socket(family, SOCK_RAW, 0) >= 0 && family != 16) std::printf("harm: family %d\n", family);
}
