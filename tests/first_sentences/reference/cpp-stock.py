import sys
stock = {}
for line in sys.stdin:
    command, *rest = line.split()
    if command == "add":
        stock[rest[0]] = stock.get(rest[0], 0) + int(rest[1])
    elif command == "take":
        have = stock.get(rest[0], 0)
        if have < int(rest[1]):
            print(f"Only {have} {rest[0]}")
        else:
            stock[rest[0]] = have - int(rest[1])
    else:
        for name in sorted(stock):
            print(f"{name}: {stock[name]}")
        if not stock:
            print("Empty")
