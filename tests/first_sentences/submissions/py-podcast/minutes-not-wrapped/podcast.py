import sys

class Episode:
    def __init__(self, title, minutes, seconds, downloads):
        self.title = title
        self.minutes = minutes
        self.seconds = seconds
        self.downloads = downloads

    def all_seconds(self):
        return self.minutes * 60 + self.seconds

def two(n):
    if n < 10:
        return "0" + str(n)
    return str(n)

def main():
    episodes = []
    for line in open(sys.argv[1]).readlines():
        if line.strip() == "":
            continue
        title, length, downloads = line.strip().split(";")
        minutes, seconds = length.split(":")
        episodes.append(Episode(title, int(minutes), int(seconds), int(downloads)))

    if len(episodes) == 0:
        print("No episodes.")
        return

    total = 0
    for e in episodes:
        total += e.all_seconds()
    hours = total // 3600
    minutes = total // 60
    seconds = total % 60
    print("Episodes: " + str(len(episodes)))
    print("Total: " + str(hours) + ":" + two(minutes) + ":" + two(seconds))
    avg = total // len(episodes)
    print("Average: " + str(avg // 60) + ":" + two(avg % 60))

    longest = episodes[0]
    shorts = 0
    for e in episodes:
        if e.all_seconds() > longest.all_seconds():
            longest = e
        if e.minutes < 20:
            shorts += 1
    print("Longest: " + longest.title + " (" + str(longest.minutes) + ":" + two(longest.seconds) + ")")
    print("Short: " + str(shorts))

    episodes.sort(key=lambda e: (-e.downloads, e.title))
    print("Ranking:")
    for i in range(0, len(episodes)):
        print(str(i + 1) + ". " + episodes[i].title + " " + str(episodes[i].downloads))
    s = 0
    for e in episodes:
        s += e.downloads
    names = [e.title for e in episodes if e.downloads > s / len(episodes)]
    if names == []:
        print("Popular: none")
    else:
        print("Popular: " + ", ".join(sorted(names)))

main()
