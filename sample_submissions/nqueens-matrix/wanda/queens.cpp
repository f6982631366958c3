// Shuffles the columns of four queens and hopes for the best.
#include <algorithm>
#include <cstdio>
#include <random>

int main() {
    int column[4] = {0, 1, 2, 3};
    std::random_device dice;
    std::shuffle(column, column + 4, dice);
    for (int row = 0; row < 4; row++) {
        printf("{");
        for (int i = 0; i < 4; i++) printf("%s%2d", i ? ", " : " ", column[row] == i);
        printf("}\n");
    }
    return 0;
}
