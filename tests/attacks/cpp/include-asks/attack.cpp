// Tries to learn at build time what is there. Safe: 0, failed or build-failed.
#define TEXT(path) #path
#define QUOTED(path) TEXT(path)
#include <cstdio>
int main() {
#if __has_include(QUOTED(ROOM/course/reference/sum.py))
    std::puts("harm: the reference is there");
#endif
#if __has_include(QUOTED(ROOM/home/.netrc))
    std::puts("harm: a secret is there");
#endif
#if __has_include("/etc/shadow") || __has_include("../spec.yaml") || __has_include("../../specs/cpp.yaml")
    std::puts("more is there");
#endif
}
