import sys

for word in reversed(sys.argv[1:]):
    print(word)
