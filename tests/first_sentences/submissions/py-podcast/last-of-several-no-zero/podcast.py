import sys

class Episode:
    def __init__(self, title, minutes, seconds, downloads):
        self.title = title
        self.minutes = minutes
        self.seconds = seconds
        self.downloads = downloads

    def total(self):
        return 60 * self.minutes + self.seconds

def get_episodes(path):
    episodes = []
    with open(path) as f:
        lines = f.readlines()
    for line in lines:
        if len(line.strip()) > 0:
            title, length, downloads = line.strip().split(";")
            minutes, seconds = length.split(":")
            episodes.append(Episode(title, int(minutes), int(seconds), int(downloads)))
    return episodes

def get_longest(episodes):
    longest = episodes[0]
    for episode in episodes:
        if episode.total() >= longest.total():
            longest = episode
    return longest

def main():
    episodes = get_episodes(sys.argv[1])
    if len(episodes) == 0:
        print("No episodes.")
        return
    total = sum([episode.total() for episode in episodes])
    average = total // len(episodes)
    longest = get_longest(episodes)
    print("Episodes:", len(episodes))
    print(f"Total: {total // 3600}:{total // 60 % 60:02}:{total % 60:02}")
    print(f"Average: {average // 60}:{average % 60:02}")
    print(f"Longest: {longest.title} ({longest.minutes}:{longest.seconds})")
    print("Short:", len([episode for episode in episodes if episode.minutes < 20]))
    print("Ranking:")
    ranking = sorted(episodes, key=lambda episode: (-episode.downloads, episode.title))
    for i in range(len(ranking)):
        print(f"{i + 1}. {ranking[i].title} {ranking[i].downloads}")
    mean = sum([episode.downloads for episode in episodes]) / len(episodes)
    popular = sorted([episode.title for episode in episodes if episode.downloads > mean])
    print("Popular:", ", ".join(popular) if popular else "none")

main()
