def factorial(n):
    if n == 1:
        return 1
    return n * factorial(n - 1)


def power(base, exponent):
    return base * power(base, exponent - 1)


def reverse(text):
    if len(text) == 1:
        return text
    return reverse(text[1:]) + text[0]


def is_palindrome(text):
    if len(text) <= 1:
        return True
    if text[0].lower() != text[-1].lower():
        return False
    return is_palindrome(text[1:-1])
