#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct node { long value; struct node *next; };
static volatile int zero = 0, smallest = -2147483647 - 1;

static void store(long *place) {
    *place = 7;
}
static long sum(struct node *node) {
    return node->value + sum(node->next);
}
static int depth(int n) {
    char line[200];
    line[n % 200] = n;
    return depth(n + 1) + line[0];
}
static void large(void) {
    int table[40000000];
    for (int i = 0; i < 40000000; i++) table[i] = i;
    printf("%d\n", table[zero]);
}
static void copy(const char *text) {
    char name[8];
    strcpy(name, text);
    puts(name);
}
static void twice(void) {
    char *block = malloc(10);
    free(block);
    free(block);
}
static void inside(void) {
    char *block = malloc(10);
    free(block + 4);
}
static void beyond(void) {
    long *block = malloc(4 * sizeof *block);
    for (int i = 0; i < 10000000; i++)
        block[i] = i;
    free(block);
}
static void freed(void) {
    struct node **node = malloc(sizeof *node);
    *node = malloc(sizeof **node);
    memset(*node, 'x', sizeof **node);
    free(*node);
    printf("%ld\n", (*node)->next->value);
}
static void unset(void) {
    long *place;
    char used[64];
    memset(used, 'x', 64);
    memcpy(&place, used + zero + 8, zero);
    *place = 7;
}
int main(int argc, char **argv) {
    const char *how = argv[1];
    if (!strcmp(how, "null")) store(0);
    if (!strcmp(how, "list")) { struct node one = {1, 0}; printf("%ld\n", sum(&one)); }
    if (!strcmp(how, "zero")) printf("%d\n", 9 / zero);
    if (!strcmp(how, "depth")) printf("%d\n", depth(0));
    if (!strcmp(how, "large")) large();
    if (!strcmp(how, "copy")) copy("a text that is far too long for this");
    if (!strcmp(how, "twice")) twice();
    if (!strcmp(how, "inside")) inside();
    if (!strcmp(how, "beyond")) beyond();
    if (!strcmp(how, "freed")) freed();
    if (!strcmp(how, "unset")) unset();
    if (!strcmp(how, "assert")) assert(argc > 2 && "a file is named");
    if (!strcmp(how, "abort")) abort();
    if (!strcmp(how, "text")) *(char *)"text" = 'T';
    if (!strcmp(how, "call")) ((void (*)(void))(long)zero)();
    if (!strcmp(how, "strlen")) printf("%zu\n", strlen((char *)(long)zero));
    if (!strcmp(how, "trap")) __builtin_trap();
    if (!strcmp(how, "raise")) raise(SIGSEGV);
    if (!strcmp(how, "term")) kill(getpid(), SIGTERM);
    if (!strcmp(how, "once") && !getenv("LD_PRELOAD")) store(0);
    if (!strcmp(how, "other")) getenv("LD_PRELOAD") ? abort() : store(0);
    if (!strcmp(how, "exit")) exit(139);
    if (!strcmp(how, "said")) { fputs("x.c:1: f: Assertion `0' failed.\n", stderr); store(0); }
    return 0;
}
