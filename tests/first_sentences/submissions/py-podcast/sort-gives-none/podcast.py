import sys

class Episode:
    """One episode of the podcast."""

    def __init__(self, title, seconds, downloads):
        self.title = title
        self.seconds = seconds
        self.downloads = downloads


def mmss(seconds):
    return "%d:%02d" % (seconds // 60, seconds % 60)


def read(filename):
    result = []
    with open(filename) as f:
        for line in f:
            line = line.strip()
            if line == "":
                continue
            title, time, downloads = line.split(";")
            m, s = time.split(":")
            result.append(Episode(title, int(m) * 60 + int(s), int(downloads)))
    return result


def main():
    episodes = read(sys.argv[1])
    if len(episodes) == 0:
        print("No episodes.")
        return

    total = 0
    short = 0
    longest = episodes[0]
    for ep in episodes:
        total += ep.seconds
        if ep.seconds < 1200:
            short += 1
        if ep.seconds > longest.seconds:
            longest = ep
    print("Episodes:", len(episodes))
    print("Total: %d:%02d:%02d" % (total // 3600, total % 3600 // 60, total % 60))
    print("Average:", mmss(total // len(episodes)))
    print("Longest: " + longest.title + " (" + mmss(longest.seconds) + ")")
    print("Short:", short)

    print("Ranking:")
    ranking = episodes.sort(key=lambda ep: (-ep.downloads, ep.title))
    number = 1
    for ep in ranking:
        print(f"{number}. {ep.title} {ep.downloads}")
        number += 1

    mean = sum([ep.downloads for ep in episodes]) / len(episodes)
    popular = sorted([ep.title for ep in episodes if ep.downloads > mean])
    print("Popular:", ", ".join(popular) if popular else "none")


main()
