#include <iostream>
#include <iomanip>
#include <string>
#include <vector>
#include <map>
#include <set>
using namespace std;

struct Exam
{
    string student;
    string course;
    int credits;
    double grade;
};

int main()
{
    vector<Exam> exams;
    set<string> names;
    Exam exam;
    while (cin >> exam.student >> exam.course >> exam.credits >> exam.grade)
    {
        exams.push_back(exam);
        names.insert(exam.student);
    }

    if (exams.size() == 0)
    {
        cout << "No exams" << endl;
        return 0;
    }

    map<pair<double, string>, int> ranking;
    vector<string> nothing;
    int credits = 0;
    double points = 0;

    for (string name : names)
    {
        for (Exam e : exams)
        {
            if (e.student == name && e.grade <= 4.0)
            {
                credits += e.credits;
                points += e.credits * e.grade;
            }
        }
        if (credits == 0)
            nothing.push_back(name);
        else
            ranking[make_pair(points / credits, name)] = credits;
    }

    cout << fixed << setprecision(2);
    for (auto r : ranking)
        cout << r.first.second << ": " << r.second << " credits, average " << r.first.first << endl;
    for (string name : nothing)
        cout << name << ": nothing passed" << endl;

    map<string, int> fails;
    int failed = 0;
    for (Exam e : exams)
    {
        if (e.grade > 4.0)
        {
            fails[e.course]++;
            failed++;
        }
    }
    cout << "Failed: " << failed << endl;
    if (failed > 0)
    {
        string hardest;
        int most = 0;
        for (auto f : fails)
        {
            if (f.second > most)
            {
                most = f.second;
                hardest = f.first;
            }
        }
        cout << "Hardest: " << hardest << endl;
    }
    return 0;
}
