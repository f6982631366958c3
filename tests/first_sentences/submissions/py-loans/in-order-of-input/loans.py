import sys


class Loan:
    def __init__(self, member, title, days):
        self.member = member
        self.title = title
        self.days = days

    def fine(self):
        if self.days <= 14:
            return 0
        return min(5.0, (self.days - 14) * 0.2)

    def is_late(self):
        return self.days > 14


def read(stream):
    loans = []
    for line in stream:
        if line.startswith("#"):
            continue
        parts = line.rstrip().split(";")
        loans.append(Loan(parts[0], parts[1], int(parts[2])))
    return loans


def by_member(loans):
    groups = {}
    for loan in loans:
        groups.setdefault(loan.member, []).append(loan)
    return groups


loans = read(sys.stdin)
if not loans:
    print("No loans")
    sys.exit(2)
for member, own in by_member(loans).items():
    print(f"{member}: {len(own)} books, {sum(one.fine() for one in own):.2f}")
print(f"Total: {sum(one.fine() for one in loans):.2f}")
longest = max(loans, key=lambda one: one.days)
print(f"Longest: {longest.title} ({longest.days} days)")
print(f"Average: {sum(one.days for one in loans) / len(loans):.1f} days")
print(f"Late: {len([one for one in loans if one.is_late()])}")
