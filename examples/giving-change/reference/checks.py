"""What is right where any order of the coins is, and more coins than are needed are better than none."""

from fractions import Fraction

from grader import Wrong

COINS = (b"1", b"2", b"5", b"10")


def change(output: bytes, args: list[str], expected: bytes) -> tuple[Fraction, str]:
    """Judge the coins that were given for the amount: the reference gives the fewest."""
    words = output.split()
    if strange := [word for word in words if word not in COINS]:
        raise Wrong(f"There is no coin of {strange[0].decode('ascii', 'backslashreplace')[:20]}.")
    given = sum(map(int, words))
    if given != int(args[0]):
        raise Wrong(f"These coins are {given} together, and {args[0]} was asked for.")
    fewest = len(expected.split())
    return Fraction(fewest, len(words)), f"The amount is right, with {len(words)} coins; {fewest} would do."
