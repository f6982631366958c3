void order(long code) {
    volatile long words[6] = {code, 1, 0, 0, 0, 0}, given = 0;
    __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
                     : "=d"(given) : "a"(words), "0"(given) : "cc", "memory");
}
