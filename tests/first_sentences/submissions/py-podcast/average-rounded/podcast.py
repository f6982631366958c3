import sys

class Episode:
    def __init__(self, title, length, downloads):
        self.title = title
        parts = length.split(":")
        self.seconds = int(parts[0]) * 60 + int(parts[1])
        self.downloads = int(downloads)

class Podcast:
    def __init__(self):
        self.episodes = []

    def add(self, episode):
        self.episodes.append(episode)

    def total(self):
        return sum(e.seconds for e in self.episodes)

    def average(self):
        return round(self.total() / len(self.episodes))

    def longest(self):
        return max(self.episodes, key=lambda e: e.seconds)

    def ranking(self):
        return sorted(self.episodes, key=lambda e: (-e.downloads, e.title))

    def popular(self):
        mean = sum(e.downloads for e in self.episodes) / len(self.episodes)
        return sorted(e.title for e in self.episodes if e.downloads > mean)

def clock(seconds):
    return f"{seconds // 60}:{seconds % 60:02}"

podcast = Podcast()
with open(sys.argv[1]) as f:
    for line in f:
        if line.strip():
            podcast.add(Episode(*line.strip().split(";")))

if podcast.episodes:
    total = podcast.total()
    print("Episodes:", len(podcast.episodes))
    print(f"Total: {total // 3600}:{total // 60 % 60:02}:{total % 60:02}")
    print("Average:", clock(podcast.average()))
    longest = podcast.longest()
    print(f"Longest: {longest.title} ({clock(longest.seconds)})")
    print("Short:", sum(e.seconds < 1200 for e in podcast.episodes))
    print("Ranking:")
    for i, e in enumerate(podcast.ranking(), start=1):
        print(f"{i}. {e.title} {e.downloads}")
    print("Popular:", ", ".join(podcast.popular()) or "none")
else:
    print("No episodes.")
