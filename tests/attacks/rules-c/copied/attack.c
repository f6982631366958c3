// Tries to copy a program that was handed in. Safe: 0, failed.
int main(void) { return 0; }
