__asm__(".text\n.globl slot\n.type slot, @function\nslot: .byte 15,31,68,0,0, 15,31,68,0,0, 15,31,68,0,0, 15,31,64,0, 195\n");
int own(void) { return 1; }
