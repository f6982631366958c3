// Tries to have the compiler read files aloud. Safe: 0, build-failed.
#include "/etc/passwd"
#include "/etc/shadow"
#include "/proc/1/environ"
int main(void) { return 0; }
