# Only the first line is read.
text = input()
words = text.split()
longest = "-"
for word in words:
    if longest == "-" or len(word) > len(longest):
        longest = word
total = 0
for word in words:
    total += len(word)
print("Lines: 1")
print("Words:", len(words))
print("Characters:", len(text) + 1)
print("Longest word:", longest)
print("Average length: %.2f" % (total / len(words)))
