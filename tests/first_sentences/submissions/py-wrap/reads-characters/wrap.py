import sys


def print_paragraph(words, width):
    line = ""
    longest = 0
    for word in words:
        if line == "":
            line = word
        elif len(line) + 1 + len(word) <= width:
            line = line + " " + word
        else:
            print(line)
            longest = max(longest, len(line))
            line = word
    print(line)
    return max(longest, len(line))


def main():
    width = int(sys.argv[1])
    paragraphs = []
    current = []
    for line in sys.stdin.read():
        words = line.split()
        if words:
            current.extend(words)
        elif current:
            paragraphs.append(current)
            current = []
    if current:
        paragraphs.append(current)

    longest = 0
    letters = 0
    number = 0
    counts = {}
    for i, words in enumerate(paragraphs):
        if i > 0:
            print()
        longest = max(longest, print_paragraph(words, width))
        for word in words:
            number += 1
            letters += len(word)
            counts[word.lower()] = counts.get(word.lower(), 0) + 1
    print("---")
    print("Paragraphs:", len(paragraphs))
    print("Words:", number)
    print("Longest line:", longest)
    mean = letters / number if number else 0
    print(f"Mean word: {mean:.2f}")
    best = "-"
    for word in sorted(counts):
        if best == "-" or counts[word] > counts[best]:
            best = word
    print("Most used:", best)


main()
