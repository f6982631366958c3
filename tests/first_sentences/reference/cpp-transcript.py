import sys

credits, points, failures = {}, {}, {}
for line in sys.stdin:
    name, course, worth, grade = line.split()
    credits.setdefault(name, 0)
    points.setdefault(name, 0.0)
    if float(grade) <= 4.0:
        credits[name] += int(worth)
        points[name] += int(worth) * float(grade)
    else:
        failures[course] = failures.get(course, 0) + 1
if not credits:
    print("No exams")
    sys.exit()
averages = {name: points[name] / credits[name] for name in credits if credits[name]}
for name in sorted(averages, key=lambda one: (averages[one], one)):
    print(f"{name}: {credits[name]} credits, average {averages[name]:.2f}")
for name in sorted(set(credits) - set(averages)):
    print(f"{name}: nothing passed")
print(f"Failed: {sum(failures.values())}")
if failures:
    print(f"Hardest: {min(failures, key=lambda course: (-failures[course], course))}")
