// Tries to fill memory that no allocator counts. Safe: 0, failed or crashed or memory.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <fcntl.h>
#include <unistd.h>

#include <sys/mman.h>
int main() {
    alarm(5);
    for (int i = 0; i < 4000; i++) {
        int file = memfd_create("left-behind", 0);
        if (file >= 0 && ftruncate(file, 1 << 20)) return 1;
        void *at = mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, file, 0);
        if (at == MAP_FAILED) return 2;
        std::memset(at, i, 1 << 20);
        close(file);
    }
    std::puts("harm: had 4000 MiB");
}
