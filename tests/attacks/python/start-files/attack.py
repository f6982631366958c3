# Tries to have a file loaded before the program, by the settings of python and its tools. Safe: 10, passed.
import sys

number = int(sys.argv[1])
print(number * (number + 1) // 2)
