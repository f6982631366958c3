cents = abs(round(float(input("Change owed: ")) * 100))
print(cents // 25 + cents % 25 // 10 + cents % 25 % 10 // 5 + cents % 5)
