import sys

class Episode:
    def __init__(self, title, seconds, downloads):
        self.title = title
        self.seconds = seconds
        self.downloads = downloads

def parse(line):
    title, length, downloads = line.split(";")
    m, s = length.split(":")
    return Episode(title, int(m) * 60 + int(s), int(downloads))

def mmss(x):
    return f"{x // 60}:{x % 60:02}"

with open(sys.argv[1]) as f:
    episodes = [parse(line.strip()) for line in f if line.strip()]

if not episodes:
    print("No episodes.")
    sys.exit()

n = len(episodes)
total = sum(e.seconds for e in episodes)
longest = max(episodes, key=lambda e: e.seconds)
print("Episodes:", n)
print(f"Total: {total // 3600}:{total % 3600 // 60:02}:{total % 60:02}")
print("Average:", mmss(total // n))
print(f"Longest: {longest.title} ({mmss(longest.seconds)})")
print("Short:", sum(1 for e in episodes if e.seconds < 1200))
print("Ranking:")
ranking = sorted(episodes, key=lambda e: (e.downloads, e.title), reverse=True)
for place, e in enumerate(ranking, 1):
    print(f"{place}. {e.title} {e.downloads}")
mean = sum(e.downloads for e in episodes) / n
popular = sorted(e.title for e in episodes if e.downloads > mean)
print("Popular:", ", ".join(popular) or "none")
