"""The cost of each comparator and each filter of lines grows with a hostile output as its length does."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

import pytest

from grader.core.comparators import COMPARATORS
from tests.support.comparator_loads import UNITS, choices, comparisons
from tests.support.growth import growth
from tests.support.work_counts import count_lines

SIZE = 500
"""bytes; twice as many are compared with these"""
FIXED_LINES = 3_000
"""which a comparison may take more whatever the output is"""
LONG = 6_000
"""bytes; five times as many are compared with these"""


def works(size: int, folder: Path) -> dict[str, Callable[[], object]]:
    """The comparisons with what is almost the same, and the choices: those of an output together."""
    every = [pair for how in COMPARATORS for pair in comparisons(how, size, folder)]
    near = [(label, work) for label, work in every if label.endswith("answer 1")]
    some = [*near, *choices(size)]
    return {name: partial(_do_all, [work for label, work in some if f": {name}" in label]) for name in UNITS}


def _do_all(some: Iterable[Callable[[], object]]) -> None:
    for work in some:
        work()


def grown(once: Mapping[str, int], twice: Mapping[str, int]) -> list[str]:
    return [
        f"{name}: {once[name]:,} -> {twice[name]:,}" for name in once if twice[name] > 2.3 * once[name] + FIXED_LINES
    ]


def counted(some: Iterable[tuple[str, Callable[[], object]]]) -> dict[str, int]:
    return {name: count_lines(work) for name, work in some}


@pytest.mark.parametrize("how", COMPARATORS)
def test_twice_the_output_is_twice_the_lines_of_a_comparison(how: str, tmp_path: Path) -> None:
    once, twice = (counted(comparisons(how, size, tmp_path)) for size in (SIZE, 2 * SIZE))
    assert once
    assert not grown(once, twice)


def test_twice_the_output_is_twice_the_lines_of_a_choice() -> None:
    once, twice = (counted(choices(size)) for size in (SIZE, 2 * SIZE))
    assert not grown(once, twice)


def grows_faster(work: Callable[[int], object]) -> bool:
    """Whether five times the size takes more than 9 times as long, each time: 5 in linear time, 25 in quadratic."""
    return all(growth(work, LONG, times=5, tries=1) > 9 for _ in range(3))


@pytest.mark.slow
def test_five_times_the_output_takes_five_times_as_long(tmp_path: Path) -> None:
    """What happens inside a regex or a method of bytes is no line of Python."""
    for work in works(100, tmp_path).values():  # imports and compiles
        work()
    some = {size: works(size, tmp_path) for size in (LONG, 5 * LONG)}

    def do(name: str, size: int) -> None:
        some[size][name]()

    assert [name for name in UNITS if grows_faster(partial(do, name))] == []


@pytest.mark.slow
def test_what_grows_faster_inside_a_regex_is_seen() -> None:
    assert grows_faster(lambda size: re.search(rb" +x", b" " * size))


def test_the_count_of_lines_sees_what_grows_faster() -> None:
    def slow(size: int) -> None:
        for _ in range(size):
            for _ in range(size):
                pass

    assert grown({"slow": count_lines(lambda: slow(100))}, {"slow": count_lines(lambda: slow(200))})
