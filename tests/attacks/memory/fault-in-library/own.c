#include <stdlib.h>
int own(void) { volatile int *block = malloc(40); int found = block[12] == 5; free((void *) block); return found; }
