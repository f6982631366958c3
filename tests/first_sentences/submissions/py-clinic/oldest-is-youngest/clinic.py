from collections import defaultdict


def to_minutes(text: str) -> int:
    hours, _, minutes = text.partition(":")
    return 60 * int(hours) + int(minutes)


def to_text(minutes: int) -> str:
    return "%d:%02d" % divmod(minutes, 60)


def slots(start: str, end: str, length: int) -> list:
    first, last = to_minutes(start), to_minutes(end)
    return [to_text(t) for t in range(first, last - length + 1, length)]


def mean_cost(costs):
    return round(sum(costs) / len(costs), 2) if costs else None


def by_kind(pairs):
    groups = defaultdict(list)
    for name, kind in sorted(pairs):
        groups[kind].append(name)
    return dict(groups)


def powers(base, n):
    return [base ** e for e in range(n + 1)]


def depth(nested):
    if not isinstance(nested, list):
        return 0
    return 1 + max((depth(part) for part in nested), default=0)


class Pet:
    def __init__(self, name, kind, born):
        self.name, self.kind, self.born = name, kind, born
        self.visits = []

    def age(self, year):
        return year - self.born

    def add_visit(self, cost):
        self.visits += [cost]

    def total(self):
        result = 0
        for cost in self.visits:
            result += cost
        return result

    def __str__(self):
        return self.name + " (" + self.kind + ")"

    def __eq__(self, other):
        if not isinstance(other, Pet):
            return NotImplemented
        return (self.name, self.kind) == (other.name, other.kind)


class Puppy(Pet):
    def __init__(self, name, born):
        Pet.__init__(self, name, "dog", born)

    def total(self):
        return Pet.total(self) * 0.5


class Clinic:
    def __init__(self, beds):
        self._beds = beds
        self._pets = {}

    def admit(self, pet):
        if pet.name in self._pets or len(self._pets) == self._beds:
            return False
        self._pets[pet.name] = pet
        return True

    def release(self, name):
        return self._pets.pop(name, None)

    def oldest(self):
        if not self._pets:
            return None
        return max(self._pets.values(), key=lambda pet: pet.born)

    def names(self):
        return sorted(self._pets)

    def __len__(self):
        return len(self._pets)
