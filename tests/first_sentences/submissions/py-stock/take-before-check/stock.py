import sys


def parse(line):
    name, count = line.split(":")
    return name.strip(), int(count)


class Stock:
    def __init__(self):
        self.counts = {}

    def add(self, name, count):
        self.counts[name] = self.counts.get(name, 0) + count

    def count(self, name):
        return self.counts.get(name, 0)

    def take(self, name, count):
        self.counts[name] -= count
        if self.counts[name] < 0:
            raise ValueError("not enough " + name)

    def low(self, limit):
        found = []
        for name in sorted(self.counts):
            if self.counts[name] < limit:
                found.append(name)
        return found

    def total(self):
        result = 0
        for count in self.counts.values():
            result += count
        return result


def main():
    if len(sys.argv) != 2:
        print("Usage: stock.py FILE", file=sys.stderr)
        sys.exit(2)
    stock = Stock()
    with open(sys.argv[1]) as file:
        for line in file:
            name, count = parse(line)
            stock.add(name, count)
    for name in sorted(stock.counts):
        print(f"{name}: {stock.counts[name]}")
    print("Total:", stock.total())


if __name__ == "__main__":
    main()
