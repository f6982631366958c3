import sys

print("Please type your text and end it with Ctrl-D: ", end="")
text = sys.stdin.read()
words = text.split()
longest = "-"
average = 0
if words:
    longest = max(words, key=len)
    average = len("".join(words)) / len(words)
print("Lines:", len(text.splitlines()))
print("Words:", len(words))
print("Characters:", len(text))
print("Longest word:", longest)
print("Average length:", f"{average:.2f}")
