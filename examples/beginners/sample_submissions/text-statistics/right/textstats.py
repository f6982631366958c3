import sys

text = sys.stdin.read()
words = text.split()
longest = "-"
for word in words:
    if longest == "-" or len(word) > len(longest):
        longest = word
average = sum(len(word) for word in words) / len(words) if words else 0

print("Lines:", len(text.splitlines()))
print("Words:", len(words))
print("Characters:", len(text))
print("Longest word:", longest)
print(f"Average length: {average:.2f}")
