def percent(part, whole):
    return round(100 * part / whole)


def winner(votes):
    best = None
    for name in sorted(set(votes)):
        if best is None or votes.count(name) > votes.count(best):
            best = name
    return best


def turnout(voters, voted):
    return [name for name in voters if name not in voted]


class Poll:
    def __init__(self, question):
        self.question = question
        self.answers = {}

    def vote(self, name, answer):
        if name in self.answers:
            raise ValueError("voted already")
        self.answers[name] = answer

    def count(self, answer):
        return list(self.answers.values()).count(answer)

    def results(self):
        counts = {}
        for answer in self.answers.values():
            counts[answer] = counts.get(answer, 0) + 1
        return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
