int own(void) { return 1; }
