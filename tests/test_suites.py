"""`make test` and `make test-slow` are together all tests but the soak, no test is in both, and CI runs the two."""

import itertools
import shlex
import subprocess
from collections.abc import Iterator, Mapping

import pytest
from _pytest.mark.expression import Expression

from tests.conftest import MARKERS, SLOW, may_select
from tests.support.expected import ROOT

QUICK, DEFAULT = "not slow and not load and not soak", "not soak and not load"


def selections(target: str) -> Iterator[str]:
    """The `-m` of each pytest that a target of the Makefile starts; nothing else may select tests."""
    dry = ["make", "--dry-run", "--no-print-directory", "PYTHONS=", target]
    done = subprocess.run(dry, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    for line in done.stdout.splitlines():
        if line.startswith(".venv/bin/pytest "):
            words = shlex.split(line)
            assert not [word for word in words[1:] if word.startswith(("-k", "--ignore", "--deselect", "tests"))], line
            yield words[words.index("-m") + 1]


def is_selected(markers: Mapping[str, bool], expression: str) -> bool:
    def has(name: str, /, **_values: object) -> bool:
        return markers[name]

    return Expression.compile(expression).evaluate(has)


def test_every_test_is_run_once_by_one_of_the_two() -> None:
    (quick,), (slow, load) = (list(selections(target)) for target in ("test", "test-slow"))
    for marked in itertools.product((False, True), repeat=len(MARKERS)):
        has = dict(zip(sorted(MARKERS), marked, strict=True))
        runs = [is_selected(has, expression) for expression in (quick, slow, load)]
        assert sum(runs) == (0 if has["soak"] else 1), has


def test_ci_runs_both_and_nothing_hides_a_failure() -> None:
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert [line for line in lines if not line.startswith("#")] == [
        "set -euo pipefail",
        'cd "$(dirname "$0")/.."',
        "make demo",
        "make test",
        "make test-slow",
    ]


@pytest.mark.parametrize(
    ("expression", "certain", "possible", "selects"),
    [
        (QUICK, {"slow"}, {"load"}, False),
        (QUICK, set(), {"slow", "load"}, True),
        ("slow and not load and not soak", set(), {"load", "soak"}, False),
        ("slow and not load and not soak", set(), {"slow"}, True),
        ("slow and not load and not soak", {"slow"}, {"load"}, True),
        ("load and not soak", {"slow"}, set(), False),
        ("load and not soak", {"slow"}, {"load"}, True),
        (DEFAULT, {"slow"}, {"load"}, True),
        ("slow or usefixtures", set(), set(), True),
    ],
)
def test_no_file_is_left_out_of_which_a_test_may_be_selected(
    expression: str,
    certain: set[str],
    possible: set[str],
    selects: bool,  # noqa: FBT001 - a table
) -> None:
    assert may_select(expression, frozenset(certain), frozenset(possible)) is selects


@pytest.mark.parametrize("place", SLOW)
def test_what_is_slow_is_there(place: str) -> None:
    assert (ROOT / "tests" / place).exists()
