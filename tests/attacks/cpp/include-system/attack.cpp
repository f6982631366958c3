// Tries to have the compiler print files of the system. Safe: 0, build-failed.
#include "/etc/shadow"
#include "/proc/self/environ"
#include "/proc/1/environ"
#include "/proc/self/cmdline"
