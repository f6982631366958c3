import sys

text = sys.stdin.read()
words = text.split()
longest = max(words, key=len, default="-")
average = 0
if words:
    average = sum(map(len, words)) / len(words)
print("lines:", len(text.splitlines()))
print("words:", len(words))
print("characters:", len(text))
print("longest word:", longest)
print("average length: {:.2f}".format(average))
