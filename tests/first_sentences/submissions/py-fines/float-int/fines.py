total = 0
count = 0
best = 0
best_title = ""
while True:
    line = input()
    if line == "end":
        break
    parts = line.split()
    title = parts[0]
    kind = parts[1]
    days = int(parts[2])
    if days <= 0:
        fine = 0
    elif kind == "book":
        if days <= 7:
            fine = days * 0.20
        else:
            fine = 7 * 0.20 + (days - 7) * 0.50
    else:
        fine = days * 1.00
    if fine > 10:
        fine = 10
    fine = int(fine)
    print(title + ": " + format(fine, ".2f"))
    total = total + fine
    if days > 0:
        count = count + 1
    if fine > best:
        best = fine
        best_title = title
print("Total: " + format(total, ".2f"))
if count > 0:
    print("Highest: " + best_title)
    average = total / count
    print("Average: " + format(average, ".2f"))
else:
    print("nothing is late")
