import sys

class Episode:
    def __init__(self, title, seconds, downloads):
        self.title = title
        self.seconds = seconds
        self.downloads = downloads

def read_file(path):
    out = []
    for row in open(path):
        row = row.strip()
        if row:
            title, length, downloads = row.split(";")
            minutes, seconds = map(int, length.split(":"))
            out.append(Episode(title, minutes * 60 + seconds, int(downloads)))
    return out

def time_text(total):
    minutes, seconds = divmod(total, 60)
    return f"{minutes}:{seconds:02}"

def report(episodes):
    total = sum(e.seconds for e in episodes)
    print("Episodes:", len(episodes))
    hours, rest = divmod(total, 3600)
    print(f"Total: {hours}:{rest // 60:02}:{rest % 60:02}")
    print("Average:", time_text(total // len(episodes)))
    longest = max(episodes)
    print(f"Longest: {longest.title} ({time_text(longest.seconds)})")
    print("Short:", len([e for e in episodes if e.seconds < 20 * 60]))
    print("Ranking:")
    for place, e in enumerate(sorted(episodes, key=lambda e: (-e.downloads, e.title)), 1):
        print(f"{place}. {e.title} {e.downloads}")
    mean = sum(e.downloads for e in episodes) / len(episodes)
    popular = sorted(e.title for e in episodes if e.downloads > mean)
    print("Popular:", ", ".join(popular) or "none")

episodes = read_file(sys.argv[1])
if episodes:
    report(episodes)
else:
    print("No episodes.")
