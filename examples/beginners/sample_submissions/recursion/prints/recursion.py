# The results are printed and not returned.
def fact(n):
    if n == 0:
        return 1
    return n * fact(n - 1)


def factorial(n):
    print(fact(n))


def pow2(base, exponent):
    if exponent == 0:
        return 1
    return base * pow2(base, exponent - 1)


def power(base, exponent):
    print(pow2(base, exponent))


def reverse(text):
    if text == "":
        return
    reverse(text[1:])
    print(text[0], end="")


def is_palindrome(text):
    text = text.lower()
    if len(text) <= 1:
        print(True)
    elif text[0] != text[-1]:
        print(False)
    else:
        is_palindrome(text[1:-1])
