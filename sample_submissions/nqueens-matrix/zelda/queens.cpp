// Has the search still to come, and says for every board that there is no solution.
#include <iostream>

bool solve(int n) {
    return false;
}

int main() {
    int n;
    std::cout << "Number of queens: ";
    std::cin >> n;
    if (!solve(n)) std::cout << "There is no solution\n";
}
