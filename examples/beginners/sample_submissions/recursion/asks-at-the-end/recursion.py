def factorial(n):
    if n == 0:
        return 1
    else:
        return n * factorial(n - 1)


def power(base, exponent):
    if exponent == 0:
        return 1
    else:
        return base * power(base, exponent - 1)


def reverse(text):
    if text == "":
        return ""
    else:
        return reverse(text[1:]) + text[0]


def isPalindrome(text):
    text = text.lower()
    if len(text) <= 1:
        return True
    if text[0] != text[len(text) - 1]:
        return False
    return isPalindrome(text[1:-1])


# This runs whenever the module is imported.
number = int(input("Enter a number: "))
print("Its factorial is", factorial(number))
word = input("Enter a word: ")
print(word, "backwards is", reverse(word))
