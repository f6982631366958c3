#pragma once
inline long sum(long n) { return n * (n + 1) / 2; }
