import sys

class Episode:
    def __init__(self, title, seconds, downloads):
        self.title = title
        self.seconds = seconds
        self.downloads = downloads

def length_text(seconds):
    return f"{seconds // 60}:{seconds % 60:02}"

def print_ranking(episodes):
    print("Ranking:")
    by_downloads = {}
    for e in episodes:
        by_downloads[e.downloads] = e
    place = 1
    for downloads in sorted(by_downloads, reverse=True):
        print(f"{place}. {by_downloads[downloads].title} {downloads}")
        place += 1

def main():
    episodes = []
    with open(sys.argv[1]) as f:
        for line in f:
            if line.strip():
                title, length, downloads = line.strip().split(";")
                m, s = length.split(":")
                episodes.append(Episode(title, int(m) * 60 + int(s), int(downloads)))
    if not episodes:
        print("No episodes.")
        return
    total = sum(e.seconds for e in episodes)
    longest = max(episodes, key=lambda e: e.seconds)
    print("Episodes:", len(episodes))
    print(f"Total: {total // 3600}:{total // 60 % 60:02}:{total % 60:02}")
    print("Average:", length_text(total // len(episodes)))
    print(f"Longest: {longest.title} ({length_text(longest.seconds)})")
    print("Short:", sum(e.seconds < 1200 for e in episodes))
    print_ranking(episodes)
    mean = sum(e.downloads for e in episodes) / len(episodes)
    popular = sorted(e.title for e in episodes if e.downloads > mean)
    print("Popular:", ", ".join(popular) or "none")

main()
