def factorial(n):
    result = 1
    for i in range(1, n + 1):
        result *= i
    return result


def power(base, exponent):
    result = 1
    while exponent > 0:
        result = result * base
        exponent -= 1
    return result


def reverse(text):
    new = ""
    for letter in text:
        new = letter + new
    return new


def is_palindrome(text):
    return text.lower() == reverse(text.lower())
