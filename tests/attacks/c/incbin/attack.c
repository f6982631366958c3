// Tries to take a file into the program. Safe: 0, build-failed.
__asm__(".incbin \"/etc/shadow\"");
int main(void) { return 0; }
