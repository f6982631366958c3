/* The starter: a small program in an outer sandbox, which makes an inner sandbox for each command it is asked for.

   It is the only program of an outer sandbox of bubblewrap, with every capability in that sandbox's user namespace and
   none on the machine. On its socket come messages with descriptors: a file with the request, a socket for the gate, a
   pipe for the end, and the streams of the command. For each, the starter clones itself into new namespaces (mounts,
   processes, IPC, network, host name), and answers, when nothing in them is alive, with the wait status of the clone and
   what it used. The clone is process 1 there. It mounts empty folders, enters the control group and sets the limits that
   it was given, says so at the gate, where the kernel tells us its process id, and waits until the gate opens. Then it
   gives up every capability, puts on the filter of system calls and starts the command; at the end it writes how that
   ended.

   A command reaches nothing of it. The starter is in another namespace of processes, without a socket that has a name;
   process 1 cannot be traced or looked into (PR_SET_DUMPABLE) and takes no signal from inside; and neither reads a byte
   that a command wrote, since a request comes from the grader, before the command exists.

   The same sequence serves a process that has loaded what many commands begin with: compiled as a library, of which it
   calls `fork_commands`. There a command is no program but a fork of that process, in which the call returns. */

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_DESCRIPTORS = 64, ABOVE_ALL = 128, GIVEN_BEFORE_STREAMS = 3 };
enum { ENDED, NOT_STARTED, IS_COMMAND };

/* What the number is: a wait status (waitpid(2)), or why the command could not be started (errno(3)); and when that was,
   in nanoseconds of CLOCK_MONOTONIC. */
struct end { int32_t what, number; int64_t time; };

struct answer { int32_t status, padding; double cpu; int64_t resident, of_starter; };

/* What a request begins with; the limits, the numbers of further descriptors, the filter and the strings follow. */
struct request {
    uint32_t arguments, variables, folders, numbers, filter_bytes, is_proc_read_only, closes_at_once, groups, limits, padding;
};

struct limit { uint64_t kind, soft, hard; };

static int complaints = 2;
static int is_forking;

static _Noreturn void fail(const char *what) {
    dprintf(complaints, "the starter: %s: %s\n", what, strerror(errno));
    _exit(1);
}

static void check(long result, const char *what) {
    if (result < 0) fail(what);
}

/* Set what clones take over: nobody looks into them, and no program gives them rights. */
static void get_ready(int requests) {
    for (int descriptor = 3; descriptor < 1024; descriptor++)
        if (descriptor != requests) close(descriptor); /* its own program is one of them */
    if (!is_forking) prctl(PR_SET_NAME, "starter", 0, 0, 0);
    check(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0), "PR_SET_DUMPABLE");
    check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "PR_SET_NO_NEW_PRIVS");
    for (int number = 0; prctl(PR_CAPBSET_DROP, number, 0, 0, 0) == 0; number++) {}
}

/* Receive one message; return how many descriptors came, 0 when nobody can ask any more. */
static int receive(int requests, int *descriptors) {
    char byte, space[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    if (recvmsg(requests, &message, MSG_CMSG_CLOEXEC) <= 0) return 0;
    struct cmsghdr *further = CMSG_FIRSTHDR(&message);
    if (!further || further->cmsg_type != SCM_RIGHTS) return 0;
    int count = (further->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    memcpy(descriptors, CMSG_DATA(further), count * sizeof(int));
    return count;
}

/* Make in `to` what is in `from`: folders and links anew, and whatever is mounted by a further mount of it. At a device of
   the machine nobody leaves a time for another command; it is written to all the same. */
static void renew(const char *from, const char *to) {
    static const char *empty[] = {"/proc", "/tmp", "/dev/pts", "/usr/local", NULL};
    struct statx whole, part; /* not lstat(2), as above */
    DIR *folder = opendir(*from ? from : "/");
    if (!folder) fail(from);
    check(statx(dirfd(folder), "", AT_EMPTY_PATH, STATX_TYPE, &whole), from);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char old[4096], new[4096], leads_to[4096] = "";
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        snprintf(old, sizeof old, "%s/%s", from, entry->d_name);
        snprintf(new, sizeof new, "%s/%s", to, entry->d_name);
        check(statx(AT_FDCWD, old, AT_SYMLINK_NOFOLLOW, STATX_MODE | STATX_TYPE, &part), old);
        if (S_ISLNK(part.stx_mode)) {
            check(readlink(old, leads_to, sizeof leads_to - 1), old);
            check(symlink(leads_to, new), new);
            continue;
        }
        check(S_ISDIR(part.stx_mode) ? mkdir(new, part.stx_mode & 0777) : close(creat(new, 0444)), new);
        const char **each = empty;
        while (*each && strcmp(old, *each)) each++;
        if (*each) continue;
        int is_mounted = part.stx_dev_minor != whole.stx_dev_minor || part.stx_dev_major != whole.stx_dev_major;
        if (!is_mounted || strcmp(old, "/dev") == 0) {
            renew(old, new);
            continue;
        }
        check(mount(old, new, NULL, MS_BIND | MS_REC, NULL), new);
        if (S_ISCHR(part.stx_mode)) check(mount(NULL, new, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID, NULL), new);
    }
    closedir(folder);
}

/* Mount a folder in memory, without devices or rights of other users. */
static void mount_memory(const char *folder, const char *options) {
    check(mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, options), folder);
}

/* Have a root of the command's own, and a `/usr/local`: those of the outer sandbox have its age, which would tell a first
   command from a later one. It is made at /proc, which is mounted anew, with the command's empty folders, and in /tmp what
   is shown there. The old root stays mounted below, where no path leads. */
static void renew_root(const char **text, uint32_t folders, int is_proc_read_only) {
    const unsigned long plain = MS_NOSUID | MS_NODEV, again = MS_REMOUNT | MS_BIND | MS_RDONLY | plain;
    mount_memory("/proc", "size=64k,mode=0755");
    renew("", "/proc");
    mount_memory("/proc/usr/local", "size=64k,mode=0755");
    renew("/usr/local", "/proc/usr/local");
    check(mount(NULL, "/proc/usr/local", NULL, again, NULL), "/usr/local");
    for (uint32_t each = 0; each < folders; each++) {
        char folder[4096];
        snprintf(folder, sizeof folder, "/proc%s", *text);
        *text += strlen(*text) + 1;
        mount_memory(folder, *text);
        *text += strlen(*text) + 1;
    }
    renew("/tmp", "/proc/tmp");
    check(mount(NULL, "/proc", NULL, again, NULL), "the root");
    check(chdir("/proc"), "the root");
    check(mount(".", "/", NULL, MS_MOVE, NULL), "the root");
    check(chroot("."), "the root");
    const char *terminals = "newinstance,ptmxmode=0666,mode=620,max=64";
    check(mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, terminals), "/dev/pts");
    check(mount("proc", "/proc", "proc", plain | MS_NOEXEC, NULL), "/proc");
    /* Else a program could write into its own memory, and so into a tool that watches it from there. */
    if (is_proc_read_only) check(mount(NULL, "/proc", NULL, MS_REMOUNT | MS_RDONLY | plain | MS_NOEXEC, NULL), "/proc");
}

/* Let a program speak with itself: the interface of a new network is down. */
static void bring_up_loopback(void) {
    struct ifreq loopback = {.ifr_name = "lo", .ifr_flags = IFF_UP};
    int any_socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    check(any_socket, "socket");
    check(ioctl(any_socket, SIOCSIFFLAGS, &loopback), "lo");
    close(any_socket);
}

/* Enter the control group by descriptors of the grader, and set the limits; return whether all of that was allowed.
   Who moves another process has to wait until the kernel lets no process of the machine fork (version 1). */
static int be_limited(const int *groups, uint32_t group_count, const struct limit *limits, uint32_t limit_count) {
    int is_done = 1;
    for (uint32_t each = 0; each < group_count; each++) {
        if (write(groups[each], "0", 1) != 1) is_done = 0;
        close(groups[each]);
    }
    for (uint32_t each = 0; each < limit_count; each++) {
        const uint64_t values[2] = {limits[each].soft, limits[each].hard};
        if (syscall(SYS_prlimit64, 0, (int)limits[each].kind, values, NULL) < 0) is_done = 0;
    }
    return is_done;
}

/* Give up every capability, and the system calls that the filter refuses; the rest was given up before. */
static void restrict_to(void *filter, uint32_t bytes) {
    struct __user_cap_header_struct version = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0}};
    struct sock_fprog program = {.len = bytes / sizeof(struct sock_filter), .filter = filter};
    check(unshare(CLONE_NEWCGROUP), "unshare"); /* from the group that the grader has put us into */
    check(syscall(SYS_capset, &version, none), "capset");
    check(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0), "the filter");
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Leave a fork with what an execve(2) would have left it: its streams, and the right to look into itself. */
static struct end be_command(void) {
    if (syscall(SYS_close_range, 3, ~0U, 0) < 0)
        for (int descriptor = 3; descriptor < 1024; descriptor++) close(descriptor);
    check(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0), "PR_SET_DUMPABLE");
    return (struct end){IS_COMMAND, 0, 0};
}

/* Start the command, wait for its end, and return what is to be told of it. Its first `kept` streams stay open here until
   then, so that nobody sees when it closes them. */
static struct end run(char **arguments, char **variables, const int *streams, int count, int kept) {
    volatile int failure = 0;
    if (!is_forking) environ = variables; /* in whose PATH the command is looked for, and which it gets */
    pid_t command = is_forking ? fork() : vfork();
    if (command == 0) {
        for (int each = 0; each < 3; each++)
            if (dup2(streams[each], each) < 0) _exit(failure = errno);
        if (is_forking) return be_command();
        execvp(arguments[0], arguments);
        _exit((failure = errno, 1));
    }
    if (command < 0) return (struct end){NOT_STARTED, errno, now()};
    for (int each = kept; each < count; each++) close(streams[each]);
    for (;;) {
        int status;
        pid_t ended = waitpid(-1, &status, 0);
        if (ended == command) return (struct end){failure ? NOT_STARTED : ENDED, failure ? failure : status, now()};
    }
}

static char **strings(const char **text, uint32_t count) {
    char **found = calloc(count + 1, sizeof *found);
    if (!found) fail("memory");
    for (uint32_t each = 0; each < count; each++) {
        found[each] = (char *)*text;
        *text += strlen(*text) + 1;
    }
    return found;
}

/* Set up what the request says, wait at the gate, and run the command. Returns only in a command that is a fork. */
static void be_process_1(int requests, int *descriptors, int count) {
    complaints = descriptors[GIVEN_BEFORE_STREAMS + 2];
    close(requests);
    check(prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), "PR_SET_PDEATHSIG");
    off_t size = lseek(descriptors[0], 0, SEEK_END); /* not fstat(2), which a C library before 2.33 does not export */
    check(size, "the request");
    char *content = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptors[0], 0);
    if (content == MAP_FAILED) fail("the request");
    close(descriptors[0]);
    const struct request *asked = (const struct request *)content;
    const struct limit *limits = (const struct limit *)(asked + 1);
    const uint32_t *numbers = (const uint32_t *)(limits + asked->limits);
    void *filter = (void *)(numbers + asked->numbers);
    const char *text = (const char *)filter + asked->filter_bytes;
    int streams_given = count - GIVEN_BEFORE_STREAMS - (int)asked->groups, above = ABOVE_ALL;
    for (uint32_t each = 0; each < asked->numbers; each++)
        if ((int)numbers[each] >= above) above = numbers[each] + 1;
    for (int each = 1; each < count; each++) { /* above every number that the command wants one under */
        int moved = fcntl(descriptors[each], F_DUPFD_CLOEXEC, above);
        check(moved, "the streams");
        close(descriptors[each]);
        descriptors[each] = moved;
    }
    int gate = descriptors[1], end = descriptors[2], *streams = descriptors + GIVEN_BEFORE_STREAMS;
    complaints = streams[2];
    for (uint32_t each = 0; each < asked->numbers; each++) { /* before there is a limit of open files */
        check(dup2(streams[3 + each], (int)numbers[each]), "the streams");
        close(streams[3 + each]);
        streams[3 + each] = numbers[each];
    }
    const char *work = text;
    text += strlen(text) + 1;
    char **arguments = strings(&text, asked->arguments), **variables = strings(&text, asked->variables);
    renew_root(&text, asked->folders, asked->is_proc_read_only);
    bring_up_loopback();
    setsid();
    check(chdir(work), work);
    /* As late as this, since what was needed until here is not the command's. Where it may not, the grader does it. */
    int is_limited = be_limited(streams + streams_given, asked->groups, limits, asked->limits);
    if (is_limited) restrict_to(filter, asked->filter_bytes);
    char byte = is_limited ? '1' : '0';
    check(write(gate, &byte, 1), "the gate");
    if (read(gate, &byte, 1) != 1) _exit(1);
    if (!is_limited) restrict_to(filter, asked->filter_bytes);
    struct end told = run(arguments, variables, streams, streams_given, asked->closes_at_once ? 0 : 3);
    if (told.what == IS_COMMAND) return;
    check(write(end, &told, sizeof told), "the end");
    _exit(0);
}

/* Make an inner sandbox for each command that is asked for. Returns when nobody can ask any more, and in each fork. */
static int serve(int requests) {
    get_ready(requests);
    for (;;) {
        int descriptors[MOST_DESCRIPTORS];
        int given = receive(requests, descriptors);
        if (given < GIVEN_BEFORE_STREAMS + 3) return given != 0;
        const unsigned long namespaces = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID | CLONE_NEWNET;
        pid_t first = syscall(SYS_clone, namespaces | SIGCHLD, 0, 0, 0, 0);
        check(first, "clone");
        if (first == 0) {
            be_process_1(requests, descriptors, given);
            return IS_COMMAND;
        }
        for (int each = 0; each < given; each++) close(descriptors[each]);
        struct answer told = {0};
        struct rusage used, ours;
        int status;
        check(wait4(first, &status, 0, &used), "wait4");
        getrusage(RUSAGE_SELF, &ours);
        told.status = status;
        told.cpu = used.ru_utime.tv_sec + used.ru_stime.tv_sec + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
        told.resident = used.ru_maxrss;
        told.of_starter = ours.ru_maxrss;
        check(write(requests, &told, sizeof told), "the answer");
    }
}

int main(int count, char **words) {
    int requests = 0; /* not by atoi(3), which newer headers make a function that older C libraries lack */
    for (const char *digit = count == 2 ? words[1] : ""; *digit; digit++) requests = 10 * requests + (*digit - '0');
    return count == 2 ? serve(requests) : 2;
}

/* Return in each command, as a fork of the process that calls this, and nowhere else. */
void fork_commands(int requests) {
    is_forking = 1;
    int result = serve(requests);
    if (result != IS_COMMAND) _exit(result);
}
