"""`make test` and `make test-slow` are together all tests but the soak, no test is in both, and CI runs the two."""

import itertools
import shlex
import subprocess
from collections.abc import Iterator, Mapping

import pytest
from _pytest.mark.expression import Expression

from tests.conftest import SLOW
from tests.support.expected import ROOT

MARKERS = ("slow", "load", "soak")


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
        has = dict(zip(MARKERS, marked, strict=True))
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


@pytest.mark.parametrize("place", SLOW)
def test_what_is_slow_is_there(place: str) -> None:
    assert (ROOT / "tests" / place).exists()
