// Tries to have the assembler print and macro-expand what it reads. Safe: 0, build-failed.
asm(".include \"/etc/shadow\"");
asm(".include \"/proc/1/environ\"");
asm(".rept 100\n.print \"::error::harm of the log\"\n.endr");
int main() { return 1; }
