// Tries to read the memory of others. Safe: 0, failed or crashed.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <fcntl.h>
#include <unistd.h>

#include <sys/ptrace.h>
#include <sys/uio.h>
int main() {
    int victim = std::atoi(std::getenv("VICTIM"));
    for (int pid : {victim, (int)getppid(), 1}) {
        char data[4096] = "";
        for (unsigned long at = 0x400000; at < 0x402000; at += 4096) {
            iovec here{data, sizeof data}, there{(void *)at, sizeof data};
            if (pid == victim && process_vm_readv(pid, &here, 1, &there, 1, 0) > 0) std::puts("harm: read");
        }
        if (pid == victim && ptrace(PTRACE_SEIZE, pid, 0, 0) == 0) std::puts("harm: traced");
        std::string path = "/proc/" + std::to_string(pid) + "/mem";
        if (open(path.c_str(), O_RDWR) >= 0 && pid == victim) std::puts("harm: opened");
        path = "/proc/" + std::to_string(pid) + "/environ";
        int file = open(path.c_str(), O_RDONLY);
        if (file >= 0) std::printf("%zd\n", write(1, data, read(file, data, sizeof data)));
    }
}
