import sys

from numbers_of import total

if __name__ == "__main__":
    print(total(int(sys.argv[1])))
