#include <iostream>
#include <sstream>
#include <vector>
using namespace std;

int main()
{
    string line;
    getline(cin, line);
    stringstream ss(line);
    vector<int> a;
    int k;
    while (ss >> k) {
        a.push_back(k);
    }
    int x;
    while (cin >> x) {
        int result = 0;
        int power = 1;
        for (int i = 0; i < a.size(); i++) {
            result += a[a.size() - 1 - i] * power;
            power *= x;
        }
        cout << "p(" << x << ") = " << result << endl;
    }
    int degree = a.size() - 1;
    while (degree > 0 && a[degree] == 0) {
        degree--;
    }
    cout << "degree " << degree << endl;
    return 0;
}
