"""Tests with a table of similar rows: CI runs the first row and every n-th of the others, `make soak` the rest.

A row of such a table takes its time, and what breaks one row breaks its neighbours. A table whose rows each have a
promise of their own does not stand here. `GRADER_TURN=1` to `GRADER_TURN=n-1` in the environment runs the others.
"""

import os
from collections.abc import Mapping

from tests.support.rows import read_data


def in_sample(place: int, step: int) -> bool:
    """Return whether CI runs a row of a table: the first, and each n-th of the others."""
    return place == 0 or place % step == int(os.environ.get("GRADER_TURN", "0")) % step


SAMPLED: Mapping[str, int] = {test: step for step, tests in read_data(__file__).items() for test in tests}
"""a test below `tests/` -> of so many of its rows CI runs one"""
SAMPLED_FILES = frozenset(test.partition("::")[0] for test in SAMPLED)
