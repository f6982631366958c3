#include <iostream>
int main() { std::cout << "0 1 0 0\n"; }
