#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *nombre;
    double precio;
    int cantidad;
} Articulo;

typedef struct {
    Articulo **datos;
    int usados;
    int capacidad;
} Almacen;

char *copiar(const char *texto)
{
    char *nuevo = malloc(strlen(texto) + 1);
    strcpy(nuevo, texto);
    return nuevo;
}

void iniciar(Almacen *a)
{
    a->usados = 0;
    a->capacidad = 2;
    a->datos = malloc(a->capacidad * sizeof(Articulo *));
}

void agregar(Almacen *a, char *nombre, double precio, int cantidad)
{
    if (a->usados == a->capacidad) {
        a->capacidad *= 2;
        a->datos = realloc(a->datos, a->capacidad * sizeof(Articulo *));
    }
    Articulo *nuevo = malloc(sizeof *nuevo);
    nuevo->nombre = nombre;
    nuevo->precio = precio;
    nuevo->cantidad = cantidad;
    a->datos[a->usados++] = nuevo;
}

Articulo *buscar(Almacen *a, const char *nombre)
{
    int i = 0;
    while (i < a->usados) {
        if (!strcmp(a->datos[i]->nombre, nombre))
            return a->datos[i];
        i++;
    }
    return NULL;
}

bool vender(Articulo *art, int cuantos)
{
    if (cuantos > art->cantidad)
        return false;
    art->cantidad -= cuantos;
    return true;
}

double valor(Articulo *art)
{
    return art->precio * art->cantidad;
}

bool antes(Articulo *a, Articulo *b)
{
    if (valor(a) != valor(b))
        return valor(a) > valor(b);
    return strcmp(a->nombre, b->nombre) < 0;
}

void intercambiar(Articulo **a, Articulo **b)
{
    Articulo *t = *a;
    *a = *b;
    *b = t;
}

void ordenar(Almacen *a)
{
    for (int i = 0; i < a->usados - 1; i++) {
        for (int j = i + 1; j < a->usados; j++) {
            if (antes(a->datos[j], a->datos[i]))
                intercambiar(&a->datos[i], &a->datos[j]);
        }
    }
}

int main(void)
{
    Almacen almacen;
    int n, cantidad;
    char nombre[32];
    double precio, ingresos = 0.0, total = 0.0;
    int agotados = 0;
    const Articulo *caro = NULL;

    iniciar(&almacen);
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%s%lf%d", nombre, &precio, &cantidad);
        agregar(&almacen, nombre, precio, cantidad);
    }
    for (int i = 0; i < n; i++) {
        if (caro == NULL || almacen.datos[i]->precio > caro->precio)
            caro = almacen.datos[i];
    }
    while (scanf("%s %d", nombre, &cantidad) == 2) {
        Articulo *art = buscar(&almacen, nombre);
        if (art == NULL) {
            printf("no such article: %s\n", nombre);
            continue;
        }
        if (vender(art, cantidad)) {
            ingresos += art->precio * cantidad;
            printf("sold %d %s\n", cantidad, nombre);
        } else {
            printf("not enough %s: %d left\n", nombre, art->cantidad);
        }
    }
    ordenar(&almacen);
    for (int i = 0; i < almacen.usados; i++) {
        Articulo *art = almacen.datos[i];
        printf("%-20s%8.2f%5d\n", art->nombre, art->precio, art->cantidad);
        total += valor(art);
        agotados += art->cantidad == 0;
    }
    printf("Total: %.2f\nIncome: %.2f\n", total, ingresos);
    printf("Sold out: %d\n", agotados);
    printf("Dearest: %s\n", caro ? caro->nombre : "-");
    return 0;
}
