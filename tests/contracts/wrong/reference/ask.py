import sys

sys.stdout.write(input("Height: "))
