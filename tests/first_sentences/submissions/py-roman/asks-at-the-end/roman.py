SIGNS = [("M", 1000), ("CM", 900), ("D", 500), ("CD", 400), ("C", 100), ("XC", 90), ("L", 50),
         ("XL", 40), ("X", 10), ("IX", 9), ("V", 5), ("IV", 4), ("I", 1)]
VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def to_roman(number):
    result = ""
    for sign, value in SIGNS:
        while number >= value:
            result += sign
            number -= value
    return result


def from_roman(text):
    total = 0
    for i in range(len(text)):
        value = VALUES[text[i]]
        if i + 1 < len(text) and VALUES[text[i + 1]] > value:
            total -= value
        else:
            total += value
    return total


def is_roman(text):
    for sign in text:
        if sign not in VALUES:
            return False
    return text != "" and to_roman(from_roman(text)) == text


def add(first, second):
    return to_roman(from_roman(first) + from_roman(second))


def longest(numerals):
    best = None
    for numeral in numerals:
        if best is None or len(numeral) > len(best):
            best = numeral
    return best


number = int(input("Which number? "))
print(to_roman(number))
