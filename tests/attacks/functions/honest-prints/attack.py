def total(number):
    print("the sum of the numbers to", number)
    return sum(range(number + 1))


if __name__ == "__main__":
    print(total(int(input())))
