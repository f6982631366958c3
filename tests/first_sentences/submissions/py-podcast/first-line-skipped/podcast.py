import csv
import sys

class Episode:
    def __init__(self, title, seconds, downloads):
        self.title = title
        self.seconds = seconds
        self.downloads = downloads

    def clock(self):
        return "%d:%02d" % divmod(self.seconds, 60)

episodes = []
with open(sys.argv[1], newline="") as file:
    reader = csv.reader(file, delimiter=";")
    next(reader, None)
    for row in reader:
        if len(row) == 0:
            continue
        minutes, seconds = row[1].split(":")
        episodes.append(Episode(row[0], int(minutes) * 60 + int(seconds), int(row[2])))

if len(episodes) == 0:
    print("No episodes.")
else:
    total = sum(e.seconds for e in episodes)
    print("Episodes:", len(episodes))
    print("Total: %d:%02d:%02d" % (total // 3600, total // 60 % 60, total % 60))
    print("Average: %d:%02d" % divmod(total // len(episodes), 60))
    longest = max(episodes, key=lambda e: e.seconds)
    print("Longest:", longest.title, "(" + longest.clock() + ")")
    print("Short:", len([e for e in episodes if e.seconds < 1200]))
    print("Ranking:")
    episodes.sort(key=lambda e: (-e.downloads, e.title))
    for i, e in enumerate(episodes, 1):
        print("%d. %s %d" % (i, e.title, e.downloads))
    mean = sum(e.downloads for e in episodes) / len(episodes)
    popular = sorted(e.title for e in episodes if e.downloads > mean)
    print("Popular:", ", ".join(popular) or "none")
