def average(scores):
    if not scores:
        return 0.0
    total = 0
    for score in scores:
        total += score
    return total / len(scores)


def letter(score):
    if score >= 90:
        return "A"
    elif score >= 80:
        return "B"
    elif score >= 70:
        return "C"
    return "F"


def parse(line):
    name, rest = line.split(":")
    scores = [int(part) for part in rest.split(",")]
    return name.strip(), scores


def drop_lowest(scores):
    scores.remove(min(scores))
    return scores


def merge(first, second):
    result = dict(first)
    for name in second:
        result[name] = second[name]
    return result


class GradeBook:
    def __init__(self):
        self.scores = {}

    def add(self, name, *scores):
        if name not in self.scores:
            self.scores[name] = []
        self.scores[name].extend(scores)

    def mean(self, name):
        return average(self.scores[name])

    def best(self):
        if not self.scores:
            return []
        highest = max(self.mean(name) for name in self.scores)
        return sorted(name for name in self.scores if self.mean(name) == highest)

    def ranking(self):
        pairs = [(name, self.mean(name)) for name in self.scores]
        return sorted(pairs, key=lambda pair: pair[1], reverse=True)
