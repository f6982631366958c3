/* The floor: starts each command of a list with posix_spawn, output to files, one after the other, and nothing else.
   Usage: floor FOLDER < COMMANDS, one command a line, words parted by blanks. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS 64

static int run(char *line) {
    char *environment[] = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8", NULL};
    char *words[WORDS + 1];
    int count = 0, status = 0;
    for (char *word = strtok(line, " \n"); word && count < WORDS; word = strtok(NULL, " \n")) words[count++] = word;
    words[count] = NULL;
    if (!count) return 0;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "floor.out", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_addopen(&actions, 2, "floor.err", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    pid_t child;
    if (posix_spawnp(&child, words[0], &actions, NULL, words, environment)) return 1;
    posix_spawn_file_actions_destroy(&actions);
    return waitpid(child, &status, 0) != child;
}

int main(int count, char **arguments) {
    char line[4096];
    if (count != 2 || chdir(arguments[1])) return 2;
    while (fgets(line, sizeof line, stdin))
        if (run(line)) return 1;
    return 0;
}
