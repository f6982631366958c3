#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

using namespace std;

struct Team {
    string name;
    int played = 0;
    int points = 0;
    int scored = 0;
    int conceded = 0;
};

void addMatch(Team &team, int scored, int conceded) {
    team.played++;
    team.scored += scored;
    team.conceded += conceded;
    if (scored > conceded) {
        team.points += 3;
    } else if (scored == conceded) {
        team.points += 1;
    }
}

int difference(const Team &team) {
    return team.scored - team.conceded;
}

bool isBefore(const Team &one, const Team &other) {
    if (one.points != other.points) {
        return one.points > other.points;
    }
    if (difference(one) != difference(other)) {
        return difference(one) > difference(other);
    }
    return one.name < other.name;
}

int main() {
    map<string, Team> teams;
    string home, away;
    int homeGoals, awayGoals;
    char colon;
    int goals = 0;
    int draws = 0;
    while (cin >> home >> away >> homeGoals >> colon >> awayGoals) {
        teams[home].name = home;
        teams[away].name = away;
        addMatch(teams[home], homeGoals, awayGoals);
        addMatch(teams[away], homeGoals, awayGoals);
        goals += homeGoals + awayGoals;
        if (homeGoals == awayGoals) {
            draws++;
        }
    }
    if (teams.empty()) {
        cout << "No matches" << endl;
        return 0;
    }
    vector<Team> table;
    for (auto &entry : teams) {
        table.push_back(entry.second);
    }
    sort(table.begin(), table.end(), isBefore);
    for (size_t i = 0; i < table.size(); i++) {
        cout << i + 1 << ". " << table[i].name << " " << table[i].played << " " << table[i].points << " " << difference(table[i]) << endl;
    }
    cout << "Goals: " << goals << endl;
    cout << "Draws: " << draws << endl;
    return 0;
}
