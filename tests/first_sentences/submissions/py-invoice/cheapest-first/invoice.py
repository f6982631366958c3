import sys

rows = []
for line in sys.stdin:
    item, number, price = line.strip().split(";")
    rows.append((item, int(number), float(price)))
rows.sort(key=lambda row: row[1] * row[2])
net = 0
for item, number, price in rows:
    amount = number * price
    net += amount
    print(f"{item:<14}{number:>4}{price:>9.2f}{amount:>10.2f}")
vat = round(net * 0.19 + 1e-9, 2)
gross = net + vat
print(f"{'Net':<14}{net:>23.2f}")
print(f"{'VAT 19%':<14}{vat:>23.2f}")
print(f"{'Gross':<14}{gross:>23.2f}")
if gross > 100:
    discount = round(gross * 0.05 + 1e-9, 2)
    print(f"{'Discount 5%':<14}{discount:>23.2f}")
    print(f"{'To pay':<14}{gross - discount:>23.2f}")
