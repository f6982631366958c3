import sys

class Episode:
    def __init__(self, title, seconds, downloads):
        self.title = title
        self.seconds = seconds
        self.downloads = downloads

episodes = []
total = 0
short = 0

def add(line):
    title, length, downloads = line.split(";")
    minutes, seconds = length.split(":")
    e = Episode(title, int(minutes) * 60 + int(seconds), int(downloads))
    episodes.append(e)
    total += e.seconds
    if e.seconds < 20 * 60:
        short += 1

def clock(s):
    return f"{s // 60}:{s % 60:02}"

with open(sys.argv[1]) as f:
    for line in f:
        if line.strip():
            add(line.strip())

if len(episodes) == 0:
    print("No episodes.")
else:
    print("Episodes:", len(episodes))
    print(f"Total: {total // 3600}:{total // 60 % 60:02}:{total % 60:02}")
    print("Average:", clock(total // len(episodes)))
    longest = max(episodes, key=lambda e: e.seconds)
    print(f"Longest: {longest.title} ({clock(longest.seconds)})")
    print("Short:", short)
    print("Ranking:")
    for i, e in enumerate(sorted(episodes, key=lambda e: (-e.downloads, e.title))):
        print(f"{i + 1}. {e.title} {e.downloads}")
    mean = sum(e.downloads for e in episodes) / len(episodes)
    print("Popular:", ", ".join(sorted(e.title for e in episodes if e.downloads > mean)) or "none")
