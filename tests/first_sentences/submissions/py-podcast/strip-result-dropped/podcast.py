from sys import argv

class Episode:
    def __init__(self, line):
        fields = line.split(";")
        self.title = fields[0]
        time = fields[1].split(":")
        self.length = int(time[0]) * 60 + int(time[1])
        self.downloads = int(fields[2])

    def clock(self):
        return f"{self.length // 60}:{self.length % 60:02d}"

all_episodes = []
for line in open(argv[1]):
    line.strip()
    if line != "":
        all_episodes.append(Episode(line))

if not all_episodes:
    print("No episodes.")
else:
    count = len(all_episodes)
    total = sum(e.length for e in all_episodes)
    longest = max(all_episodes, key=lambda e: e.length)
    print(f"Episodes: {count}")
    print(f"Total: {total // 3600}:{(total // 60) % 60:02d}:{total % 60:02d}")
    average = total // count
    print(f"Average: {average // 60}:{average % 60:02d}")
    print(f"Longest: {longest.title} ({longest.clock()})")
    print(f"Short: {len([e for e in all_episodes if e.length < 20 * 60])}")
    print("Ranking:")
    all_episodes.sort(key=lambda e: e.title)
    all_episodes.sort(key=lambda e: e.downloads, reverse=True)
    for i, e in enumerate(all_episodes):
        print(f"{i + 1}. {e.title} {e.downloads}")
    mean = sum(e.downloads for e in all_episodes) / count
    titles = sorted(e.title for e in all_episodes if e.downloads > mean)
    if titles:
        print(f"Popular: {', '.join(titles)}")
    else:
        print("Popular: none")
