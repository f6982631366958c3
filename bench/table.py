"""The table of `make bench`: what grading costs, each row with its floor, its target and what others need for the same.

`make bench ROWS="python class-python"` chooses rows; those that take very long are printed only when they are named.
"""

import os
import sys
from collections.abc import Callable, Mapping
from functools import partial

import judging
import larger
import submission
import unit_tests
import whole_class
from peers import HOW_TO_INSTALL, missing

ROWS: Mapping[str, Callable[[], None]] = {
    "help": submission.measure_help,
    "python": partial(submission.measure, submission.PYTHON),
    "java": partial(submission.measure, submission.JAVA),
    "python-3": partial(submission.measure, submission.SMALL_GROUP),
    "trivial": partial(submission.measure, submission.TRIVIAL),
    "cpp": partial(submission.measure, submission.CPP),
    "output": larger.measure_output,
    "class-python": partial(whole_class.measure, submission.PYTHON),
    "class-java": partial(whole_class.measure, submission.JAVA),
    "unit": partial(unit_tests.measure, unit_tests.UNITTEST),
    "unit-java": partial(unit_tests.measure, unit_tests.JUNIT),
    "unchanged": partial(whole_class.unchanged, 300, 2.0),
    "memory": partial(whole_class.memory, 1000, 60),
    "verify": larger.measure_verify,
    "judge": partial(judging.main, list(judging.MAX_SEARCH_SECONDS), []),
    "many-1000": partial(whole_class.many, 1000),
    "many-10000": partial(whole_class.many, 10_000, 10.0),
}
"""name -> what prints it"""

WHEN_NAMED = ("many-1000", "many-10000")


def main(names: list[str]) -> None:
    """Print the rows of these names, or all that do not take very long."""
    if unknown := [name for name in names if name not in ROWS]:
        sys.exit(f"there is no row {unknown[0]}; there are: {', '.join(ROWS)}")
    print(f"{submission.ROUNDS} rounds, sandbox on, {len(os.sched_getaffinity(0))} processors")
    if missing():
        print(f"No peers beside it, since {', '.join(missing())} is missing in .setup/peers: {HOW_TO_INSTALL}")
    print(f"\n{'':56} {'min':>7} {'median':>7} {'max':>7}")
    for name in names or [name for name in ROWS if name not in WHEN_NAMED]:
        ROWS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
