#include <stdio.h>
#include <string.h>

struct S { char n[31]; int a; };

int main(void) {
  struct S s[100];
  int c = 0, p, off, on, now = 0, lost = 0, i, j;
  char n[31];
  scanf("%d", &p);
  while (scanf("%30s %d %d", n, &off, &on)) {
    int rest = 0;
    if (off > now) { printf("%s: error\n", n); continue; }
    now -= off;
    if (on > p - now) rest = on - (p - now);
    now += on - rest;
    lost += rest;
    printf("%s: %d aboard", n, now);
    if (rest) printf(", %d left behind", rest);
    printf("\n");
    strcpy(s[c].n, n);
    s[c].a = now;
    c++;
  }
  if (c == 0) { printf("no stops\n"); return 0; }
  int m = 0, r = 0, sum = 0;
  for (i = 0; i < c; i++) {
    sum += s[i].a;
    if (s[i].a > s[m].a) m = i;
    for (j = 0; j < i; j++)
      if (!strcmp(s[i].n, s[j].n)) { r++; break; }
  }
  printf("Stops: %d\nMost: %d at %s\nLeft behind: %d\n", c, s[m].a, s[m].n, lost);
  printf("Mean: %.2f\n", (double)sum / c);
  printf("Occupancy: %d %%\n", (int)((double)sum / c / p * 100 + .5));
  printf("Repeated: %d\nBack: ", r);
  for (i = c - 1; i >= 0; i--) printf("%s%c", s[i].n, i ? '-' : '\n');
  return 0;
}
