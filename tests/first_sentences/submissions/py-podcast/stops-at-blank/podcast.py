import sys

class Episode:
    def __init__(self, title, minutes, seconds, downloads):
        self.title = title
        self.minutes = int(minutes)
        self.seconds = int(seconds)
        self.downloads = int(downloads)

    def duration(self):
        return self.minutes * 60 + self.seconds

    def __repr__(self):
        return f"{self.title} {self.downloads}"

episodes = []
file = open(sys.argv[1])
while True:
    line = file.readline().strip()
    if not line:
        break
    title, time, downloads = line.split(";")
    minutes, seconds = time.split(":")
    episodes.append(Episode(title, minutes, seconds, downloads))
file.close()

if len(episodes) == 0:
    print("No episodes.")
    exit()

print("Episodes:", len(episodes))
total = sum(e.duration() for e in episodes)
m, s = divmod(total, 60)
h, m = divmod(m, 60)
print(f"Total: {h}:{m:02}:{s:02}")
m, s = divmod(total // len(episodes), 60)
print(f"Average: {m}:{s:02}")
longest = max(episodes, key=Episode.duration)
print(f"Longest: {longest.title} ({longest.minutes}:{longest.seconds:02})")
print("Short:", len([e for e in episodes if e.minutes < 20]))
print("Ranking:")
place = 0
for e in sorted(episodes, key=lambda e: (-e.downloads, e.title)):
    place += 1
    print(f"{place}. {e}")
mean = sum(e.downloads for e in episodes) / len(episodes)
popular = sorted([e.title for e in episodes if e.downloads > mean])
if not popular:
    popular.append("none")
print("Popular:", ", ".join(popular))
