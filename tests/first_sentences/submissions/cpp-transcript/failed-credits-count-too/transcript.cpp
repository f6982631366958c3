#include <iostream>
#include <string>
#include <cstdio>
#include <map>
#include <vector>
#include <algorithm>
using namespace std;

struct S { string name; int credits = 0; double points = 0; int passed = 0; };

int main()
{
    vector<S> s;
    map<string,int> fail;
    int failed = 0;
    string name, course;
    int credits;
    double grade;

    while (cin >> name >> course >> credits >> grade)
    {
        size_t i = 0;
        while (i < s.size() && s[i].name != name) i++;
        if (i == s.size())
        {
            S neu;
            neu.name = name;
            s.push_back(neu);
        }

        s[i].credits += credits;
        if (grade > 4.0)
        {
            failed++;
            fail[course]++;
        }
        else
        {
            s[i].points += credits * grade;
            s[i].passed++;
        }
    }

    if (s.size() == 0)
    {
        cout << "No exams" << endl;
        return 0;
    }

    sort(s.begin(), s.end(), [](const S& x, const S& y) {
        if ((x.passed == 0) != (y.passed == 0)) return y.passed == 0;
        double ax = x.passed ? x.points / x.credits : 0;
        double ay = y.passed ? y.points / y.credits : 0;
        if (ax != ay) return ax < ay;
        return x.name < y.name;
    });

    for (auto& x : s)
    {
        if (x.passed == 0)
            printf("%s: nothing passed\n", x.name.c_str());
        else
            printf("%s: %d credits, average %.2f\n", x.name.c_str(), x.credits, x.points / x.credits);
    }
    printf("Failed: %d\n", failed);
    if (failed > 0)
    {
        string h;
        int m = 0;
        for (auto& f : fail) if (f.second > m) { m = f.second; h = f.first; }
        printf("Hardest: %s\n", h.c_str());
    }
    return 0;
}
