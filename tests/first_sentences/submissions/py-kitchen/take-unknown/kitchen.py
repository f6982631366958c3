"""Recipes, and what is in the kitchen."""


def parse_line(line):
    amount, unit, name = line.split(maxsplit=2)
    return name, float(amount), unit


def scale(recipe, factor):
    return {name: amount * factor for name, amount in recipe.items()}


def shopping_list(recipes):
    needed = {}
    for recipe in recipes:
        for name, amount in recipe.items():
            needed[name] = needed.get(name, 0) + amount
    return needed


def missing(recipe, pantry):
    names = []
    for name in recipe:
        if pantry.get(name, 0) < recipe[name]:
            names.append(name)
    return sorted(names)


def portions(recipe, pantry):
    return min(pantry.get(name, 0) // amount for name, amount in recipe.items())


def duration(minutes):
    hours = 0
    while minutes >= 60:
        minutes -= 60
        hours += 1
    if hours == 0:
        return f"{minutes} min"
    return f"{hours} h {minutes} min"


class Pantry:
    def __init__(self):
        self.stock = {}

    def add(self, name, amount):
        self.stock[name] = self.stock.get(name, 0) + amount

    def take(self, name, amount):
        if self.stock[name] < amount:
            raise ValueError(f"not enough {name}")
        self.stock[name] -= amount

    def names(self):
        return sorted(name for name in self.stock if self.stock[name] > 0)
