students = []
for _ in range(int(input())):
    name = input()
    points, bonus = map(int, input().split())
    students.append((name, min(20, points + bonus)))
for name, points in students:
    print(f"{name}: {points}")
if students:
    print(f"Average: {sum(points for _, points in students) / len(students):.2f}")
    print("Passed:", sum(points >= 10 for _, points in students))
else:
    print("Nobody")
