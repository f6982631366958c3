"""The cost of each shipped check grows with the output as its length does, counted in lines of Python that are run."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

import checks
import comp333_checks
import mit_checks
import prolog_checks
import pytest

from grader import Wrong
from tests.support.rows import from_data, read_data
from tests.support.work_counts import count_lines

SOLVED = b"[1,5,8,6,3,7,2,4]"
CHECKS: dict[str, Callable[[bytes], object]] = {
    **{
        f"{module.__name__}.{name}": partial(getattr(module, name), n="8")
        for module, names in (
            (checks, ("matrix", "no_matrix")),
            (comp333_checks, ("solutions", "ordered", "trace")),
            (mit_checks, ("valid", "every", "once", "none")),
            (prolog_checks, ("some", "none", "every", "once", "session")),
        )
        for name in names
    },
    "comp333_checks.snapshot": partial(comp333_checks.snapshot, rows="1 3 0 2"),
    "prolog_checks.ready": prolog_checks.ready,
    "prolog_checks.loads": prolog_checks.loads,
}
REPEATED = from_data(read_data(__file__), Mapping[str, bytes])
SIZE = 200
"""repetitions; twice as many are compared with these"""
FIXED = 1_500
"""lines that a check may run more whatever the output is"""


def steps(work: Callable[[], object]) -> int:
    """Return how many lines of Python a check runs, until it ends or says that the output is wrong."""

    def check() -> None:
        with suppress(Wrong):
            work()

    return count_lines(check)


@pytest.mark.parametrize("text", REPEATED.values(), ids=REPEATED)
@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
def test_twice_the_output_is_twice_the_work(check: Callable[[bytes], object], text: bytes) -> None:
    for before, behind in ((b"ask: loaded\n", b""), (b"ask: loaded\n", SOLVED[1:]), (b"", b"\n" + SOLVED)):
        once, twice = (steps(partial(check, before + text * size + behind)) for size in (SIZE, 2 * SIZE))
        assert twice <= 2.2 * once + FIXED


def test_the_count_sees_what_grows_faster() -> None:
    def slow(size: int) -> None:
        for _ in range(size):
            for _ in range(size):
                pass

    assert steps(lambda: slow(200)) > 3 * steps(lambda: slow(100))
