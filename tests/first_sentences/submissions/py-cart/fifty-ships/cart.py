class Cart:
    def __init__(self):
        self.items = {}
        self.code = None

    def add(self, name, price, count=1):
        if count < 1:
            raise ValueError("count")
        if name in self.items:
            old_price, old_count = self.items[name]
            self.items[name] = (price, old_count + count)
        else:
            self.items[name] = (price, count)

    def remove(self, name, count=1):
        price, there = self.items[name]
        if count >= there:
            del self.items[name]
        else:
            self.items[name] = (price, there - count)

    def pieces(self):
        return sum(count for _, count in self.items.values())

    def subtotal(self):
        return sum(price * count for price, count in self.items.values())

    def apply(self, code):
        if code not in ("TEN", "TWENTY"):
            return False
        self.code = code
        return True

    def total(self):
        percent = {"TEN": 10, "TWENTY": 20}.get(self.code, 0)
        total = self.subtotal() * (100 - percent) / 100
        if total <= 50 and self.items:
            total += 5
        return total

    def dearest(self):
        return sorted(self.items, key=lambda name: (-self.items[name][0], name))
