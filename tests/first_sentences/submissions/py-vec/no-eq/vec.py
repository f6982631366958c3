class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __str__(self):
        return f"({self.x}, {self.y})"

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)


class Named(Vector):
    def __init__(self, name, x, y):
        super().__init__(x, y)
        self.name = name


def scalers(factors):
    """Return for each factor a function that multiplies by it."""
    made = []
    for factor in factors:
        made.append(lambda n, factor=factor: n * factor)
    return made
