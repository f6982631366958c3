#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int ends[2], status;
    long n = atol(argv[argc - 1]), sum = 0;
    if (pipe(ends)) return 1;
    if (fork() == 0) {
        for (long i = 1; i <= n; i++) sum += i;
        return write(ends[1], &sum, sizeof sum) != sizeof sum;
    }
    wait(&status);
    if (read(ends[0], &sum, sizeof sum) != sizeof sum) return 1;
    printf("%ld\n", sum);
    return 0;
}
