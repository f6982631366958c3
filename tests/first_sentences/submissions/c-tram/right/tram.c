/* tram.c - one day of a tram */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Stop {
  char *name;
  int aboard;
  struct Stop *previous;
} Stop;

static int came_before(const Stop *last, const char *name) {
  for (; last != NULL; last = last->previous)
    if (!strcmp(last->name, name))
      return 1;
  return 0;
}

int main(void) {
  char word[64];
  int capacity, off, on, now = 0;
  int count = 0, lost = 0, again = 0;
  long total = 0;
  Stop *last = NULL, *top = NULL;

  if (scanf("%d", &capacity) != 1)
    return 1;
  while (scanf("%63s%d%d", word, &off, &on) == 3) {
    if (now < off) {
      puts(strcat(word, ": error"));
      continue;
    }
    now -= off;
    int room = capacity - now;
    int boarding = on < room ? on : room;
    now += boarding;
    if (boarding < on)
      printf("%s: %d aboard, %d left behind\n", word, now, on - boarding);
    else
      printf("%s: %d aboard\n", word, now);
    lost += on - boarding;
    total += now;
    count++;
    again += came_before(last, word);
    Stop *stop = malloc(sizeof *stop);
    stop->name = malloc(strlen(word) + 1);
    strcpy(stop->name, word);
    stop->aboard = now;
    stop->previous = last;
    last = stop;
    if (top == NULL || now > top->aboard)
      top = stop;
  }
  if (count == 0) {
    puts("no stops");
    return 0;
  }
  printf("Stops: %d\nMost: %d at %s\nLeft behind: %d\n", count, top->aboard, top->name, lost);
  printf("Mean: %.2f\n", 1.0 * total / count);
  printf("Occupancy: %ld %%\n", (200 * total + count * capacity) / (2 * count * capacity));
  printf("Repeated: %d\nBack: %s", again, last->name);
  for (last = last->previous; last != NULL; last = last->previous)
    printf("-%s", last->name);
  puts("");
  return 0;
}
