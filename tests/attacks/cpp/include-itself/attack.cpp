// Tries to make the source as large as can be. Safe: 0, build-failed.
#define A(x) x x x x x x x x x x
#define B(x) A(A(A(A(x))))
const char *text = B(B("0123456789"));
int big[1L << 40] = {1};
#include "attack.cpp"
int main() {}
