names = []
prices = []
while True:
    line = input()
    if line == "":
        break
    name, price = line.split
    names.append(name)
    prices.append(float(price))

limit = float(input())
for i in range(len(names)):
    if prices[i] == limit:
        print(names[i], "exactly")
    elif prices[i] < limit:
        print(names[i], "yes")
    else:
        print(names[i], "no")
print(f"Sum: {sum(prices):.2f}")
