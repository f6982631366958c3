#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	char *name;
	int load;
} stop_t;

stop_t list[100];
int size = 0;

void add(char *name, int load)
{
	list[size].name = malloc(strlen(name) + 1);
	strcpy(list[size].name, name);
	list[size].load = load;
	size++;
}

int count_repeated()
{
	int i, j, count = 0;
	for (i = 1; i < size; i++)
	{
		for (j = 0; j < i; j++)
		{
			if (list[i].name == list[j].name)
			{
				count++;
				break;
			}
		}
	}
	return count;
}

int main()
{
	int places, off, on, load = 0, behind, all_behind = 0, sum = 0, i, most = 0;
	char name[31];

	scanf("%d", &places);
	while (scanf("%s %d %d", name, &off, &on) == 3)
	{
		if (off > load)
		{
			printf("%s: error\n", name);
		}
		else
		{
			load = load - off;
			behind = 0;
			if (load + on > places)
			{
				behind = load + on - places;
				load = places;
				printf("%s: %d aboard, %d left behind\n", name, load, behind);
			}
			else
			{
				load = load + on;
				printf("%s: %d aboard\n", name, load);
			}
			all_behind += behind;
			sum += load;
			add(name, load);
		}
	}
	if (size == 0)
	{
		printf("no stops\n");
		return 0;
	}
	for (i = 0; i < size; i++)
		if (list[i].load > list[most].load)
			most = i;
	printf("Stops: %d\n", size);
	printf("Most: %d at %s\n", list[most].load, list[most].name);
	printf("Left behind: %d\n", all_behind);
	printf("Mean: %.2f\n", sum / (double)size);
	printf("Occupancy: %.0f %%\n", 100.0 * sum / size / places + 0.000001);
	printf("Repeated: %d\n", count_repeated());
	printf("Back: %s", list[size - 1].name);
	for (i = size - 2; i >= 0; i--)
		printf("-%s", list[i].name);
	printf("\n");
	return 0;
}
