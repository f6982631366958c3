import sys

class Episode:
    def __init__(self, title, seconds, downloads):
        self.title = title
        self.seconds = seconds
        self.downloads = downloads

# --- read the file ---
episodes = []
with open(sys.argv[1], "r") as f:
    for line in f:
        if line.strip() == "":
            continue
        t, l, d = line.strip().split(";")
        mins = int(l.split(":")[0])
        secs = int(l.split(":")[1])
        episodes.append(Episode(t, mins * 60 + secs, int(d)))

if len(episodes) == 0:
    print("No episodes.")
    quit()

# --- lengths ---
total = sum([e.seconds for e in episodes])
hours = total // 3600
minutes = (total - hours * 3600) // 60
print("Episodes:", len(episodes))
print(f"Total: {hours}:{minutes:02}:{total % 60:02}")
avg = total / len(episodes)
print(f"Average: {avg // 60}:{avg % 60:02}")
longest = episodes[0]
for e in episodes:
    if e.seconds > longest.seconds:
        longest = e
print(f"Longest: {longest.title} ({longest.seconds // 60}:{longest.seconds % 60:02})")
print("Short:", len([e for e in episodes if e.seconds < 1200]))

# --- downloads ---
print("Ranking:")
place = 1
for e in sorted(episodes, key=lambda e: (-e.downloads, e.title)):
    print(f"{place}. {e.title} {e.downloads}")
    place += 1
mean = sum([e.downloads for e in episodes]) / len(episodes)
popular = sorted([e.title for e in episodes if e.downloads > mean])
if len(popular) == 0:
    popular = ["none"]
print("Popular:", ", ".join(popular))
