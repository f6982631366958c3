// Tries to split a name over lines. Safe: 0, failed.
#include <stdlib.h>
int main(void) { return sys\
tem("true"); }
