import sys

class Episode:
    def __init__(self, title, minutes, seconds, downloads):
        self.title = title
        self.minutes = minutes
        self.seconds = seconds
        self.downloads = downloads

    def in_seconds(self):
        return self.minutes * 60 + self.seconds

    def length(self):
        return str(self.minutes) + ":" + str(self.seconds).zfill(2)

def load(name):
    episodes = []
    file = open(name)
    for line in file.readlines():
        if line.strip():
            parts = line.strip().split(";")
            time = parts[1].split(":")
            episodes.append(Episode(parts[0], int(time[0]), int(time[1]), int(parts[2])))
    file.close()
    return episodes

episodes = load(sys.argv[1])
if episodes == []:
    print("No episodes.")
    sys.exit(0)

total = 0
for e in episodes:
    total = total + e.in_seconds()
average = total // len(episodes)
longest = episodes[0]
for e in episodes[1:]:
    if e.in_seconds() > longest.in_seconds():
        longest = e
short = 0
for e in episodes:
    if e.in_seconds() < 1200:
        short = short + 1

print("Episodes:", len(episodes))
print("Total: " + str(total // 3600) + ":" + str(total // 60 % 60).zfill(2) + ":" + str(total % 60).zfill(2))
print("Average: " + str(average // 60) + ":" + str(average % 60).zfill(2))
print(f"Longest: {longest.title} ({longest.length})")
print("Short:", short)
print("Ranking:")
episodes.sort(key=lambda e: (-e.downloads, e.title))
for place in range(len(episodes)):
    print(f"{place + 1}. {episodes[place].title} {episodes[place].downloads}")
mean = sum(e.downloads for e in episodes) / len(episodes)
popular = [e.title for e in episodes if e.downloads > mean]
popular.sort()
if len(popular) > 0:
    print("Popular:", ", ".join(popular))
else:
    print("Popular: none")
