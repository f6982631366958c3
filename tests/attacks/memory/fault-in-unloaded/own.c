#include <stdlib.h>
int own(void) { malloc(40); return 1; }
