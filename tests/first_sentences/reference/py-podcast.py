import sys
from dataclasses import dataclass


@dataclass
class Episode:
    title: str
    seconds: int
    downloads: int


def read_episodes(path):
    episodes = []
    with open(path) as file:
        for line in file:
            if line.strip():
                title, length, downloads = line.strip().split(";")
                minutes, seconds = length.split(":")
                episodes.append(Episode(title, int(minutes) * 60 + int(seconds), int(downloads)))
    return episodes


def short_time(seconds):
    return f"{seconds // 60}:{seconds % 60:02}"


def main():
    episodes = read_episodes(sys.argv[1])
    if not episodes:
        print("No episodes.")
        return
    total = sum(episode.seconds for episode in episodes)
    longest = max(episodes, key=lambda episode: episode.seconds)
    print("Episodes:", len(episodes))
    print(f"Total: {total // 3600}:{total // 60 % 60:02}:{total % 60:02}")
    print("Average:", short_time(total // len(episodes)))
    print(f"Longest: {longest.title} ({short_time(longest.seconds)})")
    print("Short:", sum(episode.seconds < 20 * 60 for episode in episodes))
    print("Ranking:")
    ranking = sorted(episodes, key=lambda episode: (-episode.downloads, episode.title))
    for place, episode in enumerate(ranking, start=1):
        print(f"{place}. {episode.title} {episode.downloads}")
    mean = sum(episode.downloads for episode in episodes) / len(episodes)
    popular = sorted(episode.title for episode in episodes if episode.downloads > mean)
    print("Popular:", ", ".join(popular) or "none")


main()
