import sys

number = int(sys.argv[1])
print(number * (number + 1) // 2)
