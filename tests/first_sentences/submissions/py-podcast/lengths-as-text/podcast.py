import sys

class Episode:
    def __init__(self, title, length, downloads):
        self.title = title
        self.length = length
        self.downloads = int(downloads)

    def seconds(self):
        m, s = self.length.split(":")
        return int(m) * 60 + int(s)

episodes = []
with open(sys.argv[1]) as f:
    for line in f:
        line = line.strip()
        if not line:
            continue
        title, length, downloads = line.split(";")
        episodes.append(Episode(title, length, downloads))

if not episodes:
    print("No episodes.")
    sys.exit(0)

total = 0
short = 0
longest = episodes[0]
for ep in episodes:
    total += ep.seconds()
    if ep.seconds() < 20 * 60:
        short += 1
    if ep.length > longest.length:
        longest = ep

avg = total // len(episodes)
print(f"Episodes: {len(episodes)}")
print(f"Total: {total // 3600}:{total // 60 % 60:02}:{total % 60:02}")
print(f"Average: {avg // 60}:{avg % 60:02}")
print(f"Longest: {longest.title} ({longest.length})")
print(f"Short: {short}")
print("Ranking:")
rank = 1
for ep in sorted(episodes, key=lambda ep: (-ep.downloads, ep.title)):
    print(f"{rank}. {ep.title} {ep.downloads}")
    rank += 1
mean = sum(ep.downloads for ep in episodes) / len(episodes)
popular = sorted(ep.title for ep in episodes if ep.downloads > mean)
print("Popular: " + (", ".join(popular) if popular else "none"))
