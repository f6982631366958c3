// Tries to have its way before and after main, in constructors. Safe: 0, failed or crashed.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <fcntl.h>
#include <unistd.h>

struct Early {
    Early() { std::puts("harm of no kind"); std::fflush(stdout); _exit(std::system("cat $ROOM/home/.netrc $ROOM/course/*/honest/notes")); }
} early;
extern "C" __attribute__((constructor(101))) void first() { std::puts("first"); std::fflush(stdout); }
int main() {}
