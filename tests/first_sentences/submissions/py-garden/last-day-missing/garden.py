"""A garden."""


def parse_plant(text):
    name, count, height = text.split(":")
    return name.strip().lower(), int(count), int(height)


def area_needed(plants):
    total = 0
    for plant in plants:
        total += plant[1] * 0.3
    return total


def tallest(plants):
    best = None
    for plant in plants:
        if best is None or plant[2] > best[2]:
            best = plant
    if best is None:
        return None
    return best[0]


def by_height(plants):
    ordered = sorted(plants, key=lambda plant: (-plant[2], plant[0]))
    return [plant[0] for plant in ordered]


def water_days(start, every, last):
    days = []
    day = start
    while day < last:
        days.append(day)
        day += every
    return days


def season(month):
    if month >= 3 and month <= 5:
        return "spring"
    if month >= 6 and month <= 8:
        return "summer"
    if month >= 9 and month <= 11:
        return "autumn"
    return "winter"


class Bed:
    def __init__(self, width, length):
        self.width = width
        self.length = length
        self.plants = {}

    def area(self):
        return self.width * self.length

    def plant(self, name, count):
        if len(self) + count > 4 * self.area():
            raise ValueError("too many plants")
        self.plants[name] = self.plants.get(name, 0) + count

    def count(self, name):
        return self.plants.get(name, 0)

    def __len__(self):
        return sum(self.plants.values())

    def __str__(self):
        parts = []
        for name in sorted(self.plants):
            parts.append(str(self.plants[name]) + " " + name)
        return "Bed of " + str(self.area()) + " m2: " + ", ".join(parts)
