// Tries to fill the disk by what is compiled. Safe: 0, build-failed or crashed or memory.
char room[1 << 30] = {1};
char more[1 << 30] = {1};
int main(void) { return room[5]; }
