def to_minutes(text):
    parts = text.split(":")
    return int(parts[0]) * 60 + int(parts[1])


def slots(start, end, length):
    result = []
    now = to_minutes(start)
    last = to_minutes(end)
    while now + length <= last:
        hours = now // 60
        minutes = now % 60
        result.append(f"{hours}:{minutes:02d}")
        now += length
    return result


def mean_cost(costs):
    if len(costs) == 0:
        return None
    total = 0
    for cost in costs:
        total += cost
    return round(total / len(costs), 2)


def by_kind(pairs):
    kinds = {}
    for name, kind in pairs:
        if kind not in kinds:
            kinds[kind] = []
        kinds[kind].append(name)
    for kind in kinds:
        kinds[kind].sort()
    return kinds


def powers(base, n):
    result = []
    value = 1
    for i in range(n + 1):
        result.append(value)
        value = value * base
    return result


def depth(nested):
    deepest = 0
    for item in nested:
        if isinstance(item, list):
            deepest = max(deepest, depth(item))
    return deepest + 1


class Pet:
    def __init__(self, name, kind, born):
        self.name = name
        self.kind = kind
        self.born = born
        self.visits = []

    def age(self, year):
        return year - self.born

    def add_visit(self, cost):
        self.visits.append(cost)

    def total(self):
        return sum(self.visits)

    def __str__(self):
        return f"{self.name} ({self.kind})"

    def __eq__(self, other):
        return self.name == other.name and self.kind == other.kind


class Puppy(Pet):
    def __init__(self, name, born):
        super().__init__(name, "dog", born)

    def total(self):
        return super().total() / 2


class Clinic:
    def __init__(self, beds):
        self.beds = beds
        self.pets = []

    def admit(self, pet):
        if len(self.pets) > self.beds:
            return False
        if pet in self.pets:
            return False
        self.pets.append(pet)
        return True

    def release(self, name):
        for pet in self.pets:
            if pet.name == name:
                self.pets.remove(pet)
                return pet
        return None

    def oldest(self):
        found = None
        for pet in self.pets:
            if found is None or pet.born < found.born:
                found = pet
        return found

    def names(self):
        return sorted(pet.name for pet in self.pets)

    def __len__(self):
        return len(self.pets)
