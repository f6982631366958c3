#include <iostream>
#include <iomanip>
#include <map>
#include <string>
#include <vector>
#include <algorithm>
using namespace std;

struct Student
{
    string name;
    int credits = 0;
    double points = 0;

    double average() const
    {
        return points / credits;
    }
}

bool better(const Student &a, const Student &b)
{
    if (a.credits == 0 || b.credits == 0)
    {
        if (a.credits == 0 && b.credits == 0)
            return a.name < b.name;
        return b.credits == 0;
    }
    if (a.average() != b.average())
        return a.average() < b.average();
    return a.name < b.name;
}

int main()
{
    map<string, Student> students;
    map<string, int> failed;
    string name, course;
    int credits, total = 0;
    double grade;

    while (cin >> name >> course >> credits >> grade)
    {
        Student &s = students[name];
        s.name = name;
        if (grade <= 4.0)
        {
            s.credits += credits;
            s.points += credits * grade;
        }
        else
        {
            failed[course]++;
            total++;
        }
    }
    if (students.empty())
    {
        cout << "No exams" << endl;
        return 0;
    }
    vector<Student> all;
    for (auto &p : students)
        all.push_back(p.second);
    sort(all.begin(), all.end(), better);
    cout << fixed << setprecision(2);
    for (auto &s : all)
    {
        if (s.credits == 0)
            cout << s.name << ": nothing passed" << endl;
        else
            cout << s.name << ": " << s.credits << " credits, average " << s.average() << endl;
    }
    cout << "Failed: " << total << endl;
    if (total > 0)
    {
        string hardest;
        int most = 0;
        for (auto &p : failed)
            if (p.second > most)
            {
                most = p.second;
                hardest = p.first;
            }
        cout << "Hardest: " << hardest << endl;
    }
    return 0;
}
