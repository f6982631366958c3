#include <stdio.h>
#include <string.h>
#include <math.h>

#define MAX 10

int main(void)
{
  int places, off, on;
  int aboard = 0, left = 0, count = 0, sum = 0;
  int most = 0, repeated = 0;
  int load[MAX];
  char name[MAX][31];

  scanf("%d", &places);
  while (scanf("%30s %d %d", name[count], &off, &on) == 3)
    {
      if (off > aboard)
        {
          printf("%s: error\n", name[count]);
          continue;
        }
      aboard = aboard - off + on;
      if (aboard > places)
        {
          printf("%s: %d aboard, %d left behind\n", name[count], places, aboard - places);
          left += aboard - places;
          aboard = places;
        }
      else
        printf("%s: %d aboard\n", name[count], aboard);
      load[count] = aboard;
      count++;
    }

  if (count == 0)
    {
      printf("no stops\n");
      return 0;
    }
  for (int i = 0; i < count; i++)
    {
      sum += load[i];
      if (load[i] > load[most])
        most = i;
      for (int j = 0; j < i; j++)
        if (strcmp(name[j], name[i]) == 0)
          {
            repeated++;
            break;
          }
    }
  printf("Stops: %d\n", count);
  printf("Most: %d at %s\n", load[most], name[most]);
  printf("Left behind: %d\n", left);
  printf("Mean: %.2f\n", (double)sum / count);
  printf("Occupancy: %.0f %%\n", round(100.0 * sum / count / places));
  printf("Repeated: %d\n", repeated);
  printf("Back: ");
  for (int i = count - 1; i > 0; i--)
    printf("%s-", name[i]);
  printf("%s\n", name[0]);
  return 0;
}
