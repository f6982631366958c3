#include <bits/stdc++.h>
using namespace std;

struct student {
    string name;
    int credits;
    double points;
    double avg;
};

bool compareStudents(student a, student b)
{
    return a.avg - b.avg;
}

bool compareNames(student a, student b)
{
    return a.name < b.name;
}

int main()
{
    vector<student> v;
    map<string, int> fails;
    int failed = 0;
    string name, course;
    int credits;
    double grade;

    while (cin >> name >> course >> credits >> grade)
    {
        int pos = -1;
        for (int i = 0; i < (int)v.size(); i++)
            if (v[i].name == name)
                pos = i;
        if (pos == -1)
        {
            student s;
            s.name = name;
            s.credits = 0;
            s.points = 0;
            v.push_back(s);
            pos = v.size() - 1;
        }
        if (grade <= 4.0)
        {
            v[pos].credits += credits;
            v[pos].points += credits * grade;
        }
        else
        {
            fails[course]++;
            failed++;
        }
    }
    if (v.empty())
    {
        cout << "No exams" << endl;
        return 0;
    }
    for (auto &s : v)
    {
        if (s.credits > 0)
            s.avg = s.points / s.credits;
        else
            s.avg = 99;
    }
    sort(v.begin(), v.end(), compareNames);
    stable_sort(v.begin(), v.end(), compareStudents);

    for (auto s : v)
    {
        if (s.credits == 0)
            cout << s.name << ": nothing passed" << endl;
        else
            cout << s.name << ": " << s.credits << " credits, average " << fixed << setprecision(2) << s.avg << endl;
    }
    cout << "Failed: " << failed << endl;
    if (failed)
    {
        string hardest = fails.begin()->first;
        for (auto f : fails)
            if (f.second > fails[hardest])
                hardest = f.first;
        cout << "Hardest: " << hardest << endl;
    }
    return 0;
}
