"""`make test` and `make test-slow` are together all tests but the soak, no test is in both, and CI runs them as one."""

import itertools
import shlex
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark.expression import Expression

from tests.conftest import MARKERS, SLOW, deal_slow_first, may_select, named_markers, pytest_collection_modifyitems
from tests.support.expected import ROOT
from tests.support.rows import each_row
from tests.support.sampled import SAMPLED, in_sample

SLOW_FILES = {"c": 3, "a": 1, "b": 4, "d": 2, "e": 1}


@cache
def commands(*targets: str) -> Sequence[str]:
    dry = ["make", "--dry-run", "--no-print-directory", *targets]
    return subprocess.run(dry, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True).stdout.splitlines()


def selections(*targets: str) -> Iterator[str]:
    """The `-m` of each pytest that targets of the Makefile start; nothing else may select tests."""
    for line in commands(*targets):
        if line.startswith(".venv/bin/pytest "):
            words = shlex.split(line)
            assert not [word for word in words[1:] if word.startswith(("-k", "--ignore", "--deselect", "tests"))], line
            yield words[words.index("-m") + 1]


def is_selected(markers: Mapping[str, bool], expression: str) -> bool:
    def has(name: str, /, **_values: object) -> bool:
        return markers[name]

    return Expression.compile(expression).evaluate(has)


def test_every_test_is_run_once_by_one_of_the_two() -> None:
    quick, slow, load = selections("test", "test-slow")
    both, load_of_both = selections("test-all")
    for marked in itertools.product((False, True), repeat=len(MARKERS)):
        has = dict(zip(sorted(MARKERS), marked, strict=True))
        runs = [is_selected(has, expression) for expression in (quick, slow, load)]
        assert sum(runs) == (0 if has["soak"] else 1), has
        assert [is_selected(has, both), is_selected(has, load_of_both)] == [any(runs[:2]), runs[2]], has


def test_ci_runs_both_and_nothing_hides_a_failure() -> None:
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert [line for line in lines if not line.startswith("#")] == [
        "set -euo pipefail",
        'cd "$(dirname "$0")/.."',
        "make demo",
        "make test-all",
    ]


def test_ci_checks_what_the_two_check() -> None:
    def others(*targets: str) -> set[str]:
        return {line for line in commands(*targets) if not line.startswith((".venv/bin/pytest ", "make "))}

    assert others("test-all") == others("test", "test-slow")


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize("quick", [0, 1, 9, 41])
def test_each_worker_begins_with_whole_slow_files_and_ends_with_quick_tests(workers: int, quick: int) -> None:
    slow = [Row(f"tests/{file}.py::test[{row}]", {"slow"}) for file, rows in SLOW_FILES.items() for row in range(rows)]
    rows = [*slow[:5], *[Row(f"tests/quick.py::test[{row}]") for row in range(quick)], *slow[5:]]
    dealt: list[Any] = deal_slow_first(rows, workers)  # type: ignore[arg-type]
    assert sorted(row.nodeid for row in dealt) == sorted(row.nodeid for row in rows)
    if quick < 41:  # less than what takes long in one file
        return
    stretch = len(rows) // workers
    for worker in range(workers):
        own = dealt[worker * stretch : (worker + 1) * stretch]
        begins = [row.path.stem for row in own if row.markers]
        assert own[: len(begins)] == [row for row in own if row.markers]
        assert list(dict.fromkeys(begins)) == [*SLOW_FILES][worker::workers]
        assert Counter(begins) == {file: SLOW_FILES[file] for file in begins}


@each_row
def test_no_file_is_left_out_of_which_a_test_may_be_selected(
    expression: str,
    certain: set[str],
    possible: set[str],
    selects: bool,  # noqa: FBT001 - a table
) -> None:
    assert may_select(expression, frozenset(certain), frozenset(possible)) is selects


def test_what_is_slow_is_there() -> None:
    assert [place for place in SLOW if not (ROOT / "tests" / place).exists()] == []


def test_what_is_sampled_is_there_and_has_rows() -> None:
    for test in SAMPLED:
        file, _, name = test.partition("::")
        text = (ROOT / "tests" / file).read_text()
        above = text.partition(f"def {name}(")[0].rpartition("\n\n\n")[2]
        assert "@pytest.mark.parametrize(" in above or "@each" in above, test


@dataclass
class Row:
    """What collecting a test asks of it."""

    nodeid: str
    markers: set[str] = field(default_factory=set)

    @property
    def path(self) -> Path:
        return ROOT / self.nodeid.partition("::")[0]

    def iter_markers(self) -> Iterator[pytest.Mark]:
        return iter(())

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return getattr(pytest.mark, name).mark if name in self.markers else None

    def add_marker(self, name: str) -> None:
        self.markers.add(name)


def test_of_what_is_sampled_each_row_is_in_ci_or_in_the_soak(pytestconfig: pytest.Config) -> None:
    test, step = "check/test_verification.py::test_the_specs_of_this_repository_are_right", 3
    assert SAMPLED[test] == step
    rows = [Row(f"tests/{test}[{number}]") for number in range(2 * step + 1)]
    others = [Row("tests/check/test_verification.py::test_another[1]")]
    pytest_collection_modifyitems(pytestconfig, [*rows, *others])  # type: ignore[list-item]
    in_ci = [number for number, row in enumerate(rows) if "soak" not in row.markers]
    is_named = any("::" in name for name in pytestconfig.args)
    assert in_ci == [number for number in range(len(rows)) if is_named or in_sample(number, step)]
    assert others[0].markers == set()
    assert "soak" in named_markers(ROOT / "tests/grading_class/test_cluster.py")


@pytest.mark.parametrize("turn", range(7))
def test_the_first_row_of_a_sample_is_always_run_and_each_other_in_one_turn(
    turn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADER_TURN", str(turn))
    assert [row for row in range(9) if in_sample(row, 3)] == sorted({0, *range(turn % 3, 9, 3)})
    assert all(in_sample(row, 1) for row in range(9))


def test_pytest_enters_every_folder_of_tests(pytestconfig: pytest.Config) -> None:
    patterns = pytestconfig.getini("norecursedirs")
    folders = {part for path in (ROOT / "tests").rglob("test_*.py") for part in path.relative_to(ROOT).parts[:-1]}
    assert [name for name in folders if any(fnmatch(name, pattern) for pattern in patterns)] == []
