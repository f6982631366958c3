#include <iostream>
#include <iomanip>
#include <string>
#include <map>
#include <vector>
#include <algorithm>
using namespace std;

struct Exam {
  string student, course;
  int credits;
  double grade;
};

int main() {
  vector<Exam> exams;
  Exam e;
  while (cin >> e.student >> e.course >> e.credits >> e.grade) exams.push_back(e);

  if (exams.empty()) {
    cout << "No exams\n";
    return 0;
  }

  map<string, int> credits, fails;
  map<string, double> points;
  int failed = 0;
  for (const Exam& x : exams) {
    if (x.grade <= 4.0) {
      credits[x.student] += x.credits;
      points[x.student] += x.credits * x.grade;
    } else {
      credits[x.student] += 0;
      fails[x.course]++;
      failed++;
    }
  }

  vector<pair<double, string>> good;
  for (auto& [name, c] : credits)
    if (c > 0) good.push_back({points[name] / c, name});
  sort(good.begin(), good.end());

  for (auto& [average, name] : good)
    cout << name << ": " << credits[name] << " credits, average " << setprecision(2) << average << "\n";
  for (auto& [name, c] : credits)
    if (c == 0) cout << name << ": nothing passed\n";

  cout << "Failed: " << failed << "\n";
  if (failed > 0) {
    auto hardest = max_element(fails.begin(), fails.end(),
        [](const auto& a, const auto& b) { return a.second < b.second; });
    cout << "Hardest: " << hardest->first << "\n";
  }
}
