/* Writes down that `main` of the program that runs the tests returned, and what.

   The dynamic linker loads this before the program. It takes a secret from descriptor 9 before any code of the program
   runs, and keeps it in memory. Where `exit` ends the program, or a copy of the process returns from `main`, nothing is
   written. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DESCRIPTOR = 9, MAX_WORD = 100 };

typedef int (*main_function)(int, char **, char **);
typedef int (*start_function)(main_function, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

static char secret[MAX_WORD], place[MAX_WORD];
static pid_t owner;
static main_function program_main;

/* Whether this is a program that only starts the one that runs the tests, as the first line of a script asks. */
static int is_starter(void) {
    static const char *const starters[] = {"env", "sh", "dash", "bash"};
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    const char *name = strrchr(path, '/');
    for (size_t one = 0; name && one < sizeof starters / sizeof *starters; one++)
        if (!strcmp(name + 1, starters[one])) return 1;
    return 0;
}

__attribute__((constructor)) static void take_secret(void) {
    char text[2 * MAX_WORD + 2] = "";
    if (is_starter()) return;
    unsetenv("LD_PRELOAD");
    ssize_t length = read(DESCRIPTOR, text, sizeof text - 1);
    if (length <= 0) return;
    close(DESCRIPTOR);
    text[length] = 0;
    if (sscanf(text, "%99s %99s", secret, place) == 2) owner = getpid();
    memset(text, 0, sizeof text);
}

static int call_main(int count, char **words, char **environment) {
    int status = program_main(count, words, environment);
    if (owner && owner == getpid()) {
        int file = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file >= 0) {
            dprintf(file, "%s %d\n", secret, status & 255);
            close(file);
        }
    }
    return status;
}

int __libc_start_main(main_function main, int count, char **words, void (*start)(void), void (*end)(void),
                      void (*end_linker)(void), void *stack) {
    start_function original;
    void *found = dlsym(RTLD_NEXT, "__libc_start_main");
    memcpy(&original, &found, sizeof original);
    program_main = main;
    return original(call_main, count, words, start, end, end_linker, stack);
}
