PRICES = {"single": 80, "double": 120, "suite": 300}


def parse(text):
    """Return the guest, the room and the nights of "Ann, single, 3"."""
    guest, room, nights = text.split(",")
    guest = guest.strip()
    room = room.strip()
    return guest, room, int(nights)


def plan(floors, rooms):
    """Return a list of floors, each with a list of rooms, all of them None."""
    return [[None] * rooms for _ in range(floors)]


def extremes(texts):
    """Return the smallest and the largest number of texts."""
    numbers = map(int, texts)
    return min(numbers), max(numbers)


def cheaper_than(limit):
    """Return the sorted names of rooms that cost less."""
    found = []
    for room, price in PRICES.items():
        if price < limit:
            found.append(room)
    return sorted(found)


class Booking:
    def __init__(self, guest, room, nights):
        if room not in PRICES:
            raise ValueError(f"no room {room}")
        self.guest = guest
        self.room = room
        self.nights = nights

    def price(self):
        price = PRICES[self.room]
        return price * self.nights

    def is_long(self):
        return self.nights >= 7

    def bill(self):
        text = f"{self.guest}: {self.price()}"
        if self.is_long():
            text += " (long)"
        return text
