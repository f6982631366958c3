import sys

throws = [int(word) for word in open(sys.argv[1]).read().split() if 1 <= int(word) <= 6]
if not throws:
    sys.exit(print("No throws"))
run = longest = last = 0
for face in throws:
    run = run + 1 if face == last else 1
    last, longest = face, max(longest, run)
for face in range(1, 7):
    print(face, "*" * throws.count(face))
print("Throws:", len(throws))
print(f"Average: {sum(throws) / len(throws):.2f}")
print("Most:", max(range(1, 7), key=throws.count))
print("Longest run:", longest)
