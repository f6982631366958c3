import sys

class Episode:
    def __init__(self, title, length, downloads):
        self.title = title
        m, s = length.split(":")
        self.length = int(m) * 60 + int(s)
        self.downloads = int(downloads)

def min_sec(n):
    return str(n // 60) + ":" + format(n % 60, "02d")

episodes = []
with open(sys.argv[1]) as infile:
    for line in infile:
        line = line.strip()
        if line != "":
            episodes.append(Episode(*line.split(";")))

if not episodes:
    print("No episodes.")
    sys.exit()

# prepare the ranking first
ranking = episodes
ranking.sort(key=lambda e: (-e.downloads, e.title))

total = sum(e.length for e in episodes)
longest = episodes[0]
for e in episodes:
    if e.length > longest.length:
        longest = e
print("Episodes:", len(episodes))
print("Total: " + str(total // 3600) + ":" + format(total // 60 % 60, "02d") + ":" + format(total % 60, "02d"))
print("Average:", min_sec(total // len(episodes)))
print("Longest:", longest.title, "(" + min_sec(longest.length) + ")")
print("Short:", len([1 for e in episodes if e.length < 1200]))
print("Ranking:")
n = 0
for e in ranking:
    n += 1
    print(str(n) + ".", e.title, e.downloads)
mean = sum(e.downloads for e in episodes) / len(episodes)
popular = []
for e in episodes:
    if e.downloads > mean:
        popular.append(e.title)
popular.sort()
print("Popular:", ", ".join(popular) if len(popular) > 0 else "none")
