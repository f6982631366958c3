import sys

class Episode:
    def __init__(self, title, seconds, downloads):
        self.title = title
        self.seconds = seconds
        self.downloads = downloads

def to_text(s):
    return f"{s // 60}:{s % 60:02}"

f = open(sys.argv[1])

# how many are there?
count = 0
for line in f:
    if line.strip():
        count += 1

episodes = []
for line in f:
    if line.strip():
        title, length, downloads = line.strip().split(";")
        m, s = length.split(":")
        episodes.append(Episode(title, int(m) * 60 + int(s), int(downloads)))
f.close()

if count == 0:
    print("No episodes.")
else:
    print("Episodes:", count)
    total = 0
    for e in episodes:
        total += e.seconds
    print(f"Total: {total // 3600}:{total // 60 % 60:02}:{total % 60:02}")
    print("Average:", to_text(total // count))
    longest = None
    for e in episodes:
        if longest is None or e.seconds > longest.seconds:
            longest = e
    if longest is not None:
        print(f"Longest: {longest.title} ({to_text(longest.seconds)})")
    short = 0
    for e in episodes:
        if e.seconds < 1200:
            short += 1
    print("Short:", short)
    print("Ranking:")
    episodes.sort(key=lambda e: (-e.downloads, e.title))
    for i in range(len(episodes)):
        print(f"{i + 1}. {episodes[i].title} {episodes[i].downloads}")
    downloads = 0
    for e in episodes:
        downloads += e.downloads
    popular = []
    for e in episodes:
        if e.downloads > downloads / count:
            popular.append(e.title)
    print("Popular:", ", ".join(sorted(popular)) or "none")
