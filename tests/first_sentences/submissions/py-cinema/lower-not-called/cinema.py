def read_films():
    films = []
    while True:
        line = input()
        if line == "":
            break
        begin, rest = line.split(" ", 1)
        title, minutes = rest.split(", ")
        films.append((to_minutes(begin), title, int(minutes)))
    return films


def to_minutes(text):
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def to_time(minutes):
    minutes = minutes % (24 * 60)
    return f"{minutes // 60:02}:{minutes % 60:02}"


def next_film(films, time):
    for begin, title, minutes in films:
        if begin >= time:
            return title
    return "none"


def longest(films):
    best = films[0]
    for film in films:
        if film[2] > best[2]:
            best = film
    return best[1]


def main():
    films = sorted(read_films())
    time = to_minutes(input())
    words = set()
    total = 0
    for begin, title, minutes in films:
        print(f"{to_time(begin)}-{to_time(begin + minutes)} {title}")
        total += minutes
        for word in title.split():
            words.add(word.lower)
    print("Next:", next_film(films, time))
    print("Longest:", longest(films))
    print("Words:", len(words))
    print(f"Total: {total // 60} h {total % 60:02}")


main()
