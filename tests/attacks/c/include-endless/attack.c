// Tries to have the compiler read what never ends. Safe: 0, build-failed.
#include "/dev/zero"
int main(void) { return 0; }
