// Tries to put a secret into the program by the assembler. Safe: 0, build-failed.
#define TEXT(path) #path
#define QUOTED(path) TEXT(path)
#include <cstdio>
asm(".global secret\nsecret: .incbin \"" QUOTED(ROOM) "/home/.netrc\"\n.byte 0\n");
extern "C" const char secret[];
int main() { std::printf("harm: %s\n", secret); }
