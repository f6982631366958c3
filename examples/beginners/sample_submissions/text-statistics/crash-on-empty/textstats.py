import sys

text = sys.stdin.read()
words = text.split()
longest = words[0]
total = 0
for word in words:
    total = total + len(word)
    if len(word) > len(longest):
        longest = word
print("Lines: " + str(len(text.splitlines())))
print("Words: " + str(len(words)))
print("Characters: " + str(len(text)))
print("Longest word: " + longest)
print("Average length: " + format(total / len(words), ".2f"))
