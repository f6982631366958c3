// Tries to give the compiler orders by pragmas. Safe: 0, failed or build-failed.
#pragma GCC dependency "/etc/shadow"
#pragma GCC system_header
#pragma GCC poison main2
#pragma GCC optimize("-fplugin=./evil.so", "-wrapper", "./evil.sh")
#pragma GCC pch_preprocess "/etc/shadow"
#pragma comment(linker, "/usr/bin/env")
#include <cstdio>
int main() { std::puts("pragmas"); }
