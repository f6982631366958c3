#include <iostream>
#include <sstream>
#include <string>
#include <vector>

int main()
{
    std::string line;
    std::getline(std::cin, line);
    std::istringstream words(line);
    std::vector<long> c;
    long number;
    while (words >> number)
        c.push_back(number);
    long x;
    while (std::cin >> x) {
        long value = 0;
        for (int i = c.size() - 1; i >= 0; i--)
            value = value * x + c[i];
        std::cout << "p(" << x << ") = " << value << "\n";
    }
    int degree = c.size() - 1;
    while (degree > 0 && c[degree] == 0)
        degree--;
    std::cout << "degree " << degree << "\n";
}
