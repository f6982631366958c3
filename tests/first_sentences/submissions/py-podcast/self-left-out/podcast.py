import sys


class Episode:

    def __init__(self, title, length, downloads):
        self.title = title
        minutes, secs = length.split(":")
        seconds = int(minutes) * 60 + int(secs)
        self.downloads = int(downloads)


def fmt(sec):
    return "{}:{:02}".format(sec // 60, sec % 60)


def main():
    eps = []
    with open(sys.argv[1]) as fp:
        for raw in fp:
            raw = raw.rstrip("\n")
            if not raw.strip():
                continue
            eps.append(Episode(*raw.split(";")))

    if not eps:
        print("No episodes.")
        return

    total = sum(ep.seconds for ep in eps)
    print("Episodes: {}".format(len(eps)))
    print("Total: {}:{:02}:{:02}".format(total // 3600, total // 60 % 60, total % 60))
    print("Average: {}".format(fmt(total // len(eps))))
    longest = max(eps, key=lambda ep: ep.seconds)
    print("Longest: {} ({})".format(longest.title, fmt(longest.seconds)))
    print("Short: {}".format(sum(1 for ep in eps if ep.seconds < 1200)))
    print("Ranking:")
    for i, ep in enumerate(sorted(eps, key=lambda ep: (-ep.downloads, ep.title)), 1):
        print("{}. {} {}".format(i, ep.title, ep.downloads))
    mean = sum(ep.downloads for ep in eps) / len(eps)
    pop = sorted(ep.title for ep in eps if ep.downloads > mean)
    print("Popular: {}".format(", ".join(pop) if pop else "none"))


if __name__ == "__main__":
    main()
