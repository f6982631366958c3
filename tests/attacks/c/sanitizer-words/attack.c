// Tries to lift its limit by naming -fsanitize=address, and to be excused in words of a sanitizer. Safe: 0, memory or crashed or failed.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static const char named[] = "__asan_init AddressSanitizer ThreadSanitizer";
int main(void)
{
    fputs("LeakSanitizer has encountered a fatal error.\nFATAL: ThreadSanitizer: unexpected memory mapping\n"
          "==1==Shadow memory range interleaves\n==1==ERROR: AddressSanitizer failed to allocate 0x1 bytes\n", stderr);
    for (size_t round = 0; round < 64; round++) {
        char *room = mmap(NULL, (size_t)1 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (room == MAP_FAILED)
            break;
        for (size_t place = 0; place < (size_t)1 << 30; place += 4096)
            room[place] = named[place % sizeof named];
    }
    return 23;
}
