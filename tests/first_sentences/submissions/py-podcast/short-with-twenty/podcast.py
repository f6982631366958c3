import sys

SHORT = 20 * 60

class Episode:
    def __init__(self, title, length, downloads):
        self.title = title
        self.length = length
        self.downloads = downloads

    def is_short(self):
        return self.length <= SHORT

def seconds_of(text):
    minutes, seconds = text.split(":")
    return int(minutes) * 60 + int(seconds)

def text_of(seconds):
    return f"{seconds // 60}:{seconds % 60:02}"

episodes = []
for line in open(sys.argv[1]):
    if line.isspace():
        continue
    title, length, downloads = line.split(";")
    episodes.append(Episode(title, seconds_of(length), int(downloads)))

if episodes:
    total = 0
    downloads = 0
    for episode in episodes:
        total += episode.length
        downloads += episode.downloads
    count = len(episodes)
    print("Episodes:", count)
    print(f"Total: {total // 3600}:{total // 60 % 60:02}:{total % 60:02}")
    print("Average:", text_of(total // count))
    longest = max(episodes, key=lambda episode: episode.length)
    print(f"Longest: {longest.title} ({text_of(longest.length)})")
    print("Short:", len([episode for episode in episodes if episode.is_short()]))
    print("Ranking:")
    episodes.sort(key=lambda episode: episode.title)
    episodes.sort(key=lambda episode: -episode.downloads)
    for i, episode in enumerate(episodes):
        print(f"{i + 1}. {episode.title} {episode.downloads}")
    popular = [episode.title for episode in episodes if episode.downloads > downloads / count]
    print("Popular:", ", ".join(sorted(popular)) or "none")
else:
    print("No episodes.")
