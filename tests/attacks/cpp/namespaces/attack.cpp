// Tries to unshare, mount and call what no program of a course needs. Safe: 0, failed or crashed.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <fcntl.h>
#include <unistd.h>

#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
int main() {
    for (int flag : {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWPID})
        if (unshare(flag) == 0) std::printf("harm: unshare %x\n", flag);
    if (mount("none", "/tmp", "tmpfs", 0, "") == 0) std::puts("harm: mount");
    if (chroot("/") == 0) std::puts("harm: chroot");
    if (setuid(0) == 0) std::puts("harm: root");
    for (long number : {SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_add_key, SYS_kexec_load, SYS_reboot, SYS_init_module, SYS_sethostname})
        if (syscall(number, 0, 0, 0, 0, 0) >= 0) std::printf("harm: call %ld\n", number);
}
