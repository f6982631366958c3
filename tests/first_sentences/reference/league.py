import sys

teams, goals, draws = {}, 0, 0
for line in sys.stdin:
    home, away, result = line.split()
    first, second = map(int, result.split(":"))
    goals, draws = goals + first + second, draws + (first == second)
    for name, scored, conceded in ((home, first, second), (away, second, first)):
        played, points, difference = teams.get(name, (0, 0, 0))
        won = 3 if scored > conceded else int(scored == conceded)
        teams[name] = played + 1, points + won, difference + scored - conceded
if not teams:
    sys.exit(print("No matches"))
for place, (name, row) in enumerate(sorted(teams.items(), key=lambda team: (-team[1][1], -team[1][2], team[0])), 1):
    print(f"{place}. {name}", *row)
print("Goals:", goals)
print("Draws:", draws)
