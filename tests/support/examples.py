"""How many examples a property is tried with: a tenth in `make test`, all where nobody waits, in `make fuzz`."""

import os


def examples(most: int) -> int:
    """Return how many of `most` examples are tried."""
    return most if os.environ.get("GRADER_FUZZ") else most // 10
