import sys

class Episode:
    def __init__(self, title, time, downloads):
        self.title = title
        self.time = time
        self.downloads = downloads

def show(time):
    minutes = time // 60
    seconds = time % 60
    return f"{minutes}:{seconds:02d}"

def main():
    list_of_episodes = []
    with open(sys.argv[1]) as file:
        content = file.read().splitlines()
    for line in content:
        if line.strip() != "":
            a, b, c = line.split(";")
            min, sec = b.split(":")
            list_of_episodes.append(Episode(a, 60 * int(min) + int(sec), int(c)))

    n = len(list_of_episodes)
    if n == 0:
        print("No episodes.")
        return

    whole = 0
    downloads = 0
    below_20 = 0
    top = list_of_episodes[0]
    for episode in list_of_episodes:
        whole += episode.time
        downloads += episode.downloads
        if episode.time < 1200:
            below_20 += 1
        if episode.time > top.time:
            top = episode

    print(f"Episodes: {n}")
    print(f"Total: {whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}")
    print(f"Average: {show(whole // n)}")
    print("Longest: {top.title} ({show(top.time)})")
    print(f"Short: {below_20}")
    print("Ranking:")
    list_of_episodes.sort(key=lambda e: (-e.downloads, e.title))
    for number, episode in enumerate(list_of_episodes, 1):
        print(f"{number}. {episode.title} {episode.downloads}")
    popular = [e.title for e in list_of_episodes if e.downloads > downloads / n]
    if popular:
        print("Popular: " + ", ".join(sorted(popular)))
    else:
        print("Popular: none")

main()
