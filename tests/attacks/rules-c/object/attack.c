// Tries to link an object file without its source. Safe: 0, failed.
int help(void) { return 0; }
int main(void) { return help(); }
