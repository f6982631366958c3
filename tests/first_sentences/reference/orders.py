import sys

orders = [line.split() for line in sys.stdin]
if not orders:
    print("No orders")
    sys.exit()
spent = {}
for item, number, price in orders:
    spent[item] = spent.get(item, 0) + int(number) * float(price)
for item in sorted(spent):
    print(f"{item}: {spent[item]:.2f}")
print(f"Total: {sum(spent.values()):.2f}")
print("Dearest:", max(orders, key=lambda order: float(order[2]))[0])
print("Most:", max(int(number) for _, number, _ in orders))
