#include <stdio.h>
#include <stdlib.h>

#define MAX_RIDES 100
#define LIMIT 30.0

typedef struct {
    int nr;
    double km;
    int min;
} Fahrt;

static double tempo(double strecke, int zeit)
{
    return strecke / (zeit / 60.0);
}

static int lesen(Fahrt fahrten[])
{
    int anzahl = 0;
    int zeile = 0;
    char puffer[100];

    while (fgets(puffer, sizeof puffer, stdin) != NULL) {
        double strecke;
        int zeit;
        if (sscanf(puffer, "%lf %d", &strecke, &zeit) != 2) {
            break;
        }
        ++zeile;
        if (zeit <= 0) {
            printf("Ride %d: ignored\n", zeile);
        } else {
            printf("Ride %d: %.2f km/h\n", zeile, tempo(strecke, zeit));
            fahrten[anzahl].nr = zeile;
            fahrten[anzahl].km = strecke;
            fahrten[anzahl].min = zeit;
            ++anzahl;
        }
    }
    return anzahl;
}

static void summen(const Fahrt fahrten[], int anzahl, double strecke, int zeit)
{
    for (int i = 0; i < anzahl; ++i) {
        strecke += fahrten[i].km;
        zeit += fahrten[i].min;
    }
}

static Fahrt laengste(const Fahrt fahrten[], int anzahl)
{
    Fahrt beste = fahrten[0];
    for (int i = 1; i < anzahl; ++i) {
        if (fahrten[i].km > beste.km) {
            beste = fahrten[i];
        }
    }
    return beste;
}

static int zaehle_ueber(const Fahrt fahrten[], int anzahl, double grenze)
{
    int ergebnis = 0;
    for (int i = 0; i < anzahl; ++i) {
        if (fahrten[i].km > grenze) {
            ++ergebnis;
        }
    }
    return ergebnis;
}

static int zaehle_unter(const Fahrt fahrten[], int anzahl, double grenze)
{
    int ergebnis = 0;
    for (int i = 0; i < anzahl; ++i) {
        if (fahrten[i].km < grenze) {
            ++ergebnis;
        }
    }
    return ergebnis;
}

static int serie(const Fahrt fahrten[], int anzahl)
{
    int beste = 1;
    int laenge = 1;
    for (int i = 1; i < anzahl; ++i) {
        laenge = fahrten[i].km > fahrten[i - 1].km ? laenge + 1 : 1;
        if (laenge > beste) {
            beste = laenge;
        }
    }
    return beste;
}

int main(void)
{
    Fahrt fahrten[MAX_RIDES];
    int anzahl = lesen(fahrten);
    double strecke = 0;
    int zeit = 0;

    if (anzahl == 0) {
        puts("No rides");
        return EXIT_SUCCESS;
    }
    summen(fahrten, anzahl, strecke, zeit);
    Fahrt beste = laengste(fahrten, anzahl);
    printf("Rides: %d\n", anzahl);
    printf("Distance: %.1f km\n", strecke);
    printf("Time: %d:%02d h\n", zeit / 60, zeit % 60);
    printf("Average: %.2f km/h\n", tempo(strecke, zeit));
    printf("Longest: ride %d (%.2f km)\n", beste.nr, beste.km);
    printf("Over 30 km: %d\n", zaehle_ueber(fahrten, anzahl, LIMIT));
    printf("Shorter than the mean: %d\n", zaehle_unter(fahrten, anzahl, strecke / anzahl));
    printf("Streak: %d\n", serie(fahrten, anzahl));
    return EXIT_SUCCESS;
}
