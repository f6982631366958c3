// Tries to hand in the program under the name that is built. Safe: 0, build-failed.
int main(void) { return 0; }
