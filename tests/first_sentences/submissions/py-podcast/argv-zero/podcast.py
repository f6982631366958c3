import sys

class Episode:
    def __init__(self, title, minutes, seconds, downloads):
        self.title = title
        self.total = minutes * 60 + seconds
        self.downloads = downloads

    def time(self):
        return "%d:%02d" % (self.total / 60, self.total % 60)

filename = sys.argv[0]
episodes = []
with open(filename) as f:
    for line in f:
        line = line.strip()
        if line:
            (title, length, downloads) = line.split(";")
            (m, s) = length.split(":")
            episodes.append(Episode(title, int(m), int(s), int(downloads)))

if len(episodes) > 0:
    sum_of_seconds = sum(e.total for e in episodes)
    print("Episodes:", len(episodes))
    print("Total: %d:%02d:%02d" % (sum_of_seconds // 3600, sum_of_seconds % 3600 // 60, sum_of_seconds % 60))
    print("Average: %d:%02d" % (sum_of_seconds // len(episodes) // 60, sum_of_seconds // len(episodes) % 60))
    longest = max(episodes, key=lambda e: e.total)
    print("Longest: %s (%s)" % (longest.title, longest.time()))
    print("Short:", sum(e.total < 1200 for e in episodes))
    print("Ranking:")
    by_downloads = sorted(episodes, key=lambda e: (-e.downloads, e.title))
    for i in range(len(by_downloads)):
        print("%d. %s %d" % (i + 1, by_downloads[i].title, by_downloads[i].downloads))
    mean = sum(e.downloads for e in episodes) / len(episodes)
    popular = sorted(e.title for e in episodes if e.downloads > mean)
    print("Popular:", ", ".join(popular) if popular else "none")
else:
    print("No episodes.")
