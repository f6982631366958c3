"""The cost of each comparator and each filter of lines grows with a hostile output as its length does."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

import pytest

from grader.core.comparators import COMPARATORS
from tests.support.comparator_loads import UNITS, choices, comparisons
from tests.support.work_counts import count_instructions, count_lines, do_marked

SIZE = 500
"""bytes; twice as many are compared with these"""
FIXED_LINES, FIXED_INSTRUCTIONS = 3_000, 3_000_000
"""what a comparison may take more whatever the output is"""


def works(size: int, folder: Path) -> dict[str, Callable[[], object]]:
    """The comparisons with what is almost the same, and the choices: those of an output together, since each count of
    callgrind takes a tenth of a second."""
    every = [pair for how in COMPARATORS for pair in comparisons(how, size, folder)]
    near = [(label, work) for label, work in every if label.endswith("answer 1")]
    some = [*near, *choices(size)]
    return {name: partial(_do_all, [work for label, work in some if f": {name}" in label]) for name in UNITS}


def _do_all(some: Iterable[Callable[[], object]]) -> None:
    for work in some:
        work()


def grown(once: Mapping[str, int], twice: Mapping[str, int], fixed: int) -> list[str]:
    return [f"{name}: {once[name]:,} -> {twice[name]:,}" for name in once if twice[name] > 2.3 * once[name] + fixed]


def counted(some: Iterable[tuple[str, Callable[[], object]]]) -> dict[str, int]:
    return {name: count_lines(work) for name, work in some}


@pytest.mark.parametrize("how", COMPARATORS)
def test_twice_the_output_is_twice_the_lines_of_a_comparison(how: str, tmp_path: Path) -> None:
    once, twice = (counted(comparisons(how, size, tmp_path)) for size in (SIZE, 2 * SIZE))
    assert once
    assert not grown(once, twice, FIXED_LINES)


def test_twice_the_output_is_twice_the_lines_of_a_choice() -> None:
    once, twice = (counted(choices(size)) for size in (SIZE, 2 * SIZE))
    assert not grown(once, twice, FIXED_LINES)


def do_everything(folder: str) -> None:
    """Do all of it once for what is imported and compiled at first use, then in two sizes."""
    for size in (SIZE // 10, 2 * SIZE, 4 * SIZE):
        do_marked(works(size, Path(folder)).values())


@pytest.mark.slow
@pytest.mark.timeout(520)
def test_twice_the_output_is_twice_the_instructions(tmp_path: Path) -> None:
    names = list(UNITS)
    program = f"from tests.core.comparators.test_linear import do_everything; do_everything({str(tmp_path)!r})"
    counts = count_instructions(program, tmp_path)
    assert len(counts) == 3 * len(names)
    once, twice = (dict(zip(names, counts[len(names) * part :], strict=False)) for part in (1, 2))
    assert not grown(once, twice, FIXED_INSTRUCTIONS)


def test_the_count_of_lines_sees_what_grows_faster() -> None:
    def slow(size: int) -> None:
        for _ in range(size):
            for _ in range(size):
                pass

    assert grown({"slow": count_lines(lambda: slow(100))}, {"slow": count_lines(lambda: slow(200))}, FIXED_LINES)
