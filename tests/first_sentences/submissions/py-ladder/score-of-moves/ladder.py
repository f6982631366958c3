def differences(a, b):
    """In how many places two words differ; -1 if one is longer."""
    if len(a) != len(b):
        return -1
    count = 0
    for i in range(len(a)):
        if a[i] != b[i]:
            count += 1
    return count


def is_step(a, b):
    return differences(a, b) == 1


def neighbours(word, words):
    result = []
    for other in words:
        if is_step(word, other):
            result.append(other)
    result.sort()
    return result


def is_ladder(words):
    for i in range(len(words) - 1):
        if not is_step(words[i], words[i + 1]):
            return False
    return True


def longest(ladders):
    best = None
    for ladder in ladders:
        if best is None or len(ladder) > len(best):
            best = ladder
    return best


class Game:
    def __init__(self, start, goal, words):
        self.start = start
        self.goal = goal
        self.words = words
        self.moves = [start]
        self.score = 10

    def play(self, word):
        if word not in self.words or not is_step(self.moves[-1], word):
            raise ValueError(f"{word} is no step")
        self.moves.append(word)
        self.score = 10 - len(self.moves)
        return word == self.goal

    def undo(self):
        if len(self.moves) > 1:
            self.moves.pop()
            self.score = max(0, self.score - 2)

    def hint(self):
        for word in neighbours(self.moves[-1], self.words):
            if word not in self.moves:
                return word
        return None
