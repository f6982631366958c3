// Tries to have the compiler read what never ends, and say so. Safe: 0, build-failed.
#include "/dev/urandom"
int main(void) { return 0; }
