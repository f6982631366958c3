// Tries to keep the compiler busy by including itself. Safe: 0, build-failed.
#include "attack.c"
#include "attack.c"
int main(void) { return 0; }
