#include <iostream>
#include <string>
#include <vector>
#include <cstdio>
using namespace std;

vector<string> names;
vector<int> credits;
vector<double> points;
vector<string> courses;
vector<int> fails;

int find(const vector<string> &list, string what)
{
    for (size_t i = 0; i < list.size(); i++)
        if (list[i] == what)
            return i;
    return -1;
}

double avg(int i)
{
    if (credits[i] == 0)
        return 100.0;
    return points[i] / credits[i];
}

void swapStudents(int i, int j)
{
    swap(names[i], names[j]);
    swap(credits[i], credits[j]);
    swap(points[i], points[j]);
}

int main()
{
    string name, course;
    int c, failed = 0;
    double g;
    while (cin >> name >> course >> c >> g)
    {
        int i = find(names, name);
        if (i == -1)
        {
            names.push_back(name);
            credits.push_back(0);
            points.push_back(0);
            i = names.size() - 1;
        }
        if (g <= 4.0)
        {
            credits[i] += c;
            points[i] += c * g;
        }
        else
        {
            failed++;
            int k = find(courses, course);
            if (k == -1)
            {
                courses.push_back(course);
                fails.push_back(1);
            }
            else
                fails[k]++;
        }
    }

    // bubble sort
    for (size_t round = 0; round < names.size() - 1; round++)
        for (size_t i = 0; i < names.size() - 1; i++)
            if (avg(i) > avg(i + 1) || (avg(i) == avg(i + 1) && names[i] > names[i + 1]))
                swapStudents(i, i + 1);

    if (names.size() == 0)
    {
        cout << "No exams" << endl;
        return 0;
    }
    for (size_t i = 0; i < names.size(); i++)
    {
        if (credits[i] == 0)
            printf("%s: nothing passed\n", names[i].c_str());
        else
            printf("%s: %d credits, average %.2f\n", names[i].c_str(), credits[i], avg(i));
    }
    printf("Failed: %d\n", failed);
    if (failed > 0)
    {
        int best = 0;
        for (size_t k = 1; k < courses.size(); k++)
            if (fails[k] > fails[best] || (fails[k] == fails[best] && courses[k] < courses[best]))
                best = k;
        printf("Hardest: %s\n", courses[best].c_str());
    }
    return 0;
}
