#include <stdio.h>
#include <stdlib.h>

typedef struct ride {
    int number;
    float km;
    int minutes;
    struct ride *next;
} ride_t;

ride_t *new_ride(int number, float km, int minutes)
{
    ride_t *r = malloc(sizeof(ride_t));
    r->number = number;
    r->km = km;
    r->minutes = minutes;
    r->next = NULL;
    return r;
}

void append(ride_t **head, ride_t *r)
{
    if (*head == NULL) {
        *head = r;
        return;
    }
    ride_t *p = *head;
    while (p->next != NULL)
        p = p->next;
    p->next = r;
}

int count(ride_t *head)
{
    int n = 0;
    for (ride_t *p = head; p != NULL; p = p->next)
        n++;
    return n;
}

float total_km(ride_t *head)
{
    return head->km + total_km(head->next);
}

int total_minutes(ride_t *head)
{
    if (head == NULL)
        return 0;
    return head->minutes + total_minutes(head->next);
}

int main()
{
    ride_t *rides = NULL, *p, *best;
    float km, speed, mean;
    int minutes, number = 1, over = 0, below = 0, streak = 1, current = 1;

    while (scanf("%f%d", &km, &minutes) == 2)
    {
        if (minutes > 0)
        {
            speed = km * 60 / minutes;
            printf("Ride %d: %.2f km/h\n", number, speed);
            append(&rides, new_ride(number, km, minutes));
        }
        else
        {
            printf("Ride %d: ignored\n", number);
        }
        number++;
    }
    if (rides == NULL)
    {
        printf("No rides\n");
        return 0;
    }

    mean = total_km(rides) / count(rides);
    best = rides;
    for (p = rides; p != NULL; p = p->next)
    {
        if (p->km > best->km)
            best = p;
        if (p->km > 30)
            over++;
        if (p->km < mean)
            below++;
        if (p->next != NULL)
        {
            if (p->next->km > p->km)
                current++;
            else
                current = 1;
            if (current > streak)
                streak = current;
        }
    }

    printf("Rides: %d\n", count(rides));
    printf("Distance: %.1f km\n", total_km(rides));
    printf("Time: %d:%02d h\n", total_minutes(rides) / 60, total_minutes(rides) % 60);
    printf("Average: %.2f km/h\n", total_km(rides) * 60 / total_minutes(rides));
    printf("Longest: ride %d (%.2f km)\n", best->number, best->km);
    printf("Over 30 km: %d\n", over);
    printf("Shorter than the mean: %d\n", below);
    printf("Streak: %d\n", streak);
    return 0;
}
