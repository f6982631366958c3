import sys

lines = sys.stdin.readlines()
words = []
characters = 0
for line in lines:
    characters += len(line)
    words += line.split()
longest = "-"
letters = 0
for word in words:
    letters += len(word)
    if len(word) > len(longest) or longest == "-":
        longest = word
average = 0
if len(words) > 0:
    average = letters // len(words)
print("Lines:", len(lines))
print("Words:", len(words))
print("Characters:", characters)
print("Longest word:", longest)
print("Average length:", str(average) + ".00")
