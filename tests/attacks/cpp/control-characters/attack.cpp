// Tries to paint over the terminal and turn the text round. Safe: 0, failed or crashed.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <fcntl.h>
#include <unistd.h>

int main() {
    const char text[] = "\033[2J\033]0;harm\a\033[8m\x9b" "31m\xe2\x80\xae\xe2\x81\xa6\0\r\b passed";
    write(1, text, sizeof text);
    std::fputs("\033[1A\033[2K\033]8;;http://example.org\apassed\033]8;;\a\xc2\x9d" "52;c;aGFybQ==\a", stderr);
    throw std::string("\033[2J");
}
