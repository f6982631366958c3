// Exercise 7: tram
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Stop {
  char *name;
  int aboard;
  struct Stop *previous;
} Stop;

static int came_before(const Stop *tail, const char *name) {
  for (; tail != NULL; tail = tail->previous)
    if (!strcmp(tail->name, name))
      return 1;
  return 0;
}

int main(void) {
  char word[64];
  int capacity, off, on, inside = 0;
  int count = 0, missed = 0, twice = 0;
  long total = 0;
  Stop *tail = NULL, *top = NULL;

  if (scanf("%d", &capacity) != 1)
    return 1;
  while (scanf("%63s%d%d", word, &off, &on) == 3) {
    if (inside < off) {
      printf("%s: error\n", word);
      continue;
    }
    inside -= off;
    int room = capacity - inside;
    int boarding = on < room ? on : room;
    inside += boarding;
    if (boarding < on)
      printf("%s: %d aboard, %d left behind\n", word, inside, on - boarding);
    else
      printf("%s: %d aboard\n", word, inside);
    missed += on - boarding;
    total += inside;
    count++;
    twice += came_before(tail, word);
    Stop *stop = malloc(sizeof *stop);
    stop->name = strdup(word);
    stop->aboard = inside;
    stop->previous = tail;
    tail = stop;
    if (top == NULL || inside > top->aboard)
      top = stop;
  }
  if (count == 0) {
    puts("no stops");
    return 0;
  }
  printf("Stops: %d\nMost: %d at %s\nLeft behind: %d\n", count, top->aboard, top->name, missed);
  printf("Mean: %.2f\n", 1.0 * total / count);
  printf("Occupancy: %ld %%\n", (200 * total + count * capacity) / (2 * count * capacity));
  printf("Repeated: %d\nBack: %s", twice, tail->name);
  for (tail = tail->previous; tail != NULL; tail = tail->previous)
    printf("-%s", tail->name);
  puts("");
  return 0;
}
