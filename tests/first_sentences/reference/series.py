class Playlist:
    def __init__(self):
        self.songs = []
        self.position = 0

    def add(self, title, seconds):
        self.songs.append((title, seconds))

    def current(self):
        return self.songs[self.position][0] if self.songs else None

    def next(self):
        if self.songs:
            self.position = (self.position + 1) % len(self.songs)
        return self.current()

    def length(self):
        seconds = sum(seconds for _, seconds in self.songs)
        return f"{seconds // 60}:{seconds % 60:02}"

    def remove(self, title):
        before = len(self.songs)
        self.songs = [song for song in self.songs if song[0] != title]
        self.position = 0
        return before - len(self.songs)

    def shortest(self):
        return min(self.songs, key=lambda song: song[1])[0] if self.songs else None


def second_largest(numbers):
    different = sorted(set(numbers))
    return different[-2] if len(different) > 1 else None


def is_palindrome(text):
    letters = text.lower().replace(" ", "")
    return letters == letters[::-1]
