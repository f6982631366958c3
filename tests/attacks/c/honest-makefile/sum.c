#include "sum.h"

long sum(long n) { return n ? n + sum(n - 1) : 0; }
