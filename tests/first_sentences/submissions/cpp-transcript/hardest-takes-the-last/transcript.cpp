#include <iostream>
#include <iomanip>
#include <map>
#include <set>
#include <string>
using namespace std;

string hardestCourse(const map<string, int>& failures)
{
    string result;
    int most = 0;
    for (auto it = failures.begin(); it != failures.end(); ++it)
    {
        if (it->second >= most)
        {
            most = it->second;
            result = it->first;
        }
    }
    return result;
}

int main()
{
    map<string, int> credits;
    map<string, double> points;
    map<string, int> failures;
    int failed = 0;

    string name, course;
    int c;
    double grade;
    while (cin >> name >> course >> c >> grade)
    {
        if (grade <= 4.0)
        {
            credits[name] += c;
            points[name] += c * grade;
        }
        else
        {
            credits[name] += 0;
            failures[course]++;
            failed++;
        }
    }

    if (credits.empty())
    {
        cout << "No exams" << endl;
        return 0;
    }

    set<pair<double, string>> order;
    for (auto& entry : credits)
        if (entry.second != 0)
            order.insert(make_pair(points[entry.first] / entry.second, entry.first));

    cout << fixed << setprecision(2);
    for (auto& entry : order)
        cout << entry.second << ": " << credits[entry.second] << " credits, average " << entry.first << endl;
    for (auto& entry : credits)
        if (entry.second == 0)
            cout << entry.first << ": nothing passed" << endl;

    cout << "Failed: " << failed << endl;
    if (failed > 0)
        cout << "Hardest: " << hardestCourse(failures) << endl;
    return 0;
}
