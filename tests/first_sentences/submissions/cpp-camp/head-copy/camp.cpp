#include <iostream>
#include <iomanip>
#include <string>
using namespace std;

struct Gast {
    string name, art;
    int naechte, personen;
    double preis;
    Gast *naechster;
};

double berechnePreis(string art, int naechte, int personen) {
    double preis = 0;
    if (art == "tent") {
        preis = naechte * 12.5 + naechte * personen * 4;
    } else if (art == "cabin") {
        preis = naechte * 55;
        for (int p = 3; p <= personen; p++) {
            preis += 9 * naechte;
        }
    }
    if (naechte > 6) {
        preis -= preis * 10 / 100;
    }
    return preis;
}

bool kommtVor(Gast *a, Gast *b) {
    return a->preis > b->preis || (a->preis == b->preis && a->name < b->name);
}

void einfuegen(Gast *kopf, Gast *neu) {
    if (kopf == nullptr || kommtVor(neu, kopf)) {
        neu->naechster = kopf;
        kopf = neu;
        return;
    }
    Gast *g = kopf;
    while (g->naechster != nullptr && !kommtVor(neu, g->naechster)) {
        g = g->naechster;
    }
    neu->naechster = g->naechster;
    g->naechster = neu;
}

void loeschen(Gast *kopf) {
    while (kopf != nullptr) {
        Gast *weg = kopf;
        kopf = kopf->naechster;
        delete weg;
    }
}

int main() {
    Gast *kopf = nullptr;
    string name, art, laengster;
    int naechte, personen, meiste = 0, summe = 0, anzahl = 0;
    while (cin >> name >> art >> naechte >> personen) {
        Gast *neu = new Gast;
        neu->name = name;
        neu->art = art;
        neu->naechte = naechte;
        neu->personen = personen;
        neu->preis = berechnePreis(art, naechte, personen);
        neu->naechster = nullptr;
        einfuegen(kopf, neu);
        anzahl++;
        summe += naechte;
        if (naechte > meiste) {
            meiste = naechte;
            laengster = name;
        }
    }
    if (kopf == nullptr) {
        cout << "No guests" << endl;
        return 0;
    }
    int zelte = 0, huetten = 0;
    double zeltSumme = 0, huettenSumme = 0;
    cout << fixed << setprecision(2);
    for (Gast *g = kopf; g != nullptr; g = g->naechster) {
        cout << g->name << " " << g->art << " " << g->naechte << (g->naechte == 1 ? " night" : " nights") << ": " << g->preis << endl;
        if (g->art == "tent") {
            zelte++;
            zeltSumme += g->preis;
        } else {
            huetten++;
            huettenSumme += g->preis;
        }
    }
    cout << "Tents: " << zelte << " (" << zeltSumme << ")" << endl;
    cout << "Cabins: " << huetten << " (" << huettenSumme << ")" << endl;
    cout << "Total: " << zeltSumme + huettenSumme << endl;
    cout << setprecision(1) << "Mean stay: " << summe / (double) anzahl << " nights" << endl;
    cout << "Longest: " << laengster << " (" << meiste << (meiste == 1 ? " night" : " nights") << ")" << endl;
    loeschen(kopf);
    return 0;
}
