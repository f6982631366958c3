def factorial(n):
    return 1 if n == 0 else n * factorial(n - 1)


def power(base, exponent):
    if exponent == 0:
        return 1
    half = power(base, exponent // 2)
    return half * half * (base if exponent % 2 else 1)


def reverse(text):
    return text if len(text) < 2 else reverse(text[1:]) + text[0]


def is_palindrome(text):
    text = text.lower()
    return len(text) < 2 or (text[0] == text[-1] and is_palindrome(text[1:-1]))
