"""Unit tests whose methods share a process: how often that is started. `scenarios/unit-tests/` has what they get."""

from collections import Counter
from pathlib import Path

import pytest

from grader.core.model.execution import Launch
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.pipeline import Course, grade, prepare
from grader.core.sandbox.self_test import trial
from grader.kinds.harness.host import request_of
from grader.kinds.unit_tests.probe import methods_of
from tests.support.courses import course, submission
from tests.support.packages import lay
from tests.support.rows import read_data

DATA = read_data(__file__)
SPEC = DATA["SPEC"]
PYTEST = DATA["PYTEST"]
UNITTEST = DATA["UNITTEST"]
RIGHT = DATA["RIGHT"]
PT = ["pt[test_first]", "pt[test_more]", "pt[test_all]", "pt[TestEnd.test_none]", "pt[TestEnd.test_once]"]
UT = [
    *("ut[TestShelf.test_3_none]", "ut[TestShelf.test_2_all]", "ut[TestShelf.test_1_first]"),
    *("ut[TestLast.test_limit]", "ut[TestLast.test_zero]"),
]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Course]:
    folder = tmp_path_factory.mktemp("course")
    lay(folder / "tests", {"test_shelf.py": PYTEST, "shelves.py": UNITTEST})
    path = course(folder, SPEC)
    return path, prepare(path)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Launch]:
    """The launches of a test, as they are started."""
    from grader.core.run import start  # noqa: PLC0415 - what is replaced

    launches: list[Launch] = []
    start_one = start.start_program

    def counted(sandbox: object, launch: Launch, *more: object) -> object:
        if launch.argv != trial("full").argv:  # by which the sandbox tries itself
            launches.append(launch)
        return start_one(sandbox, launch, *more)  # type: ignore[arg-type]

    for module in ("runner", "measuring"):
        monkeypatch.setattr(f"grader.core.run.{module}.start_program", counted)
    return launches


def report_of(prepared: tuple[Path, Course], folder: Path, program: str, *only: str) -> Report:
    path, ready = prepared
    handed_in = submission(folder, program=program)
    return grade(Job(spec=path, submission=Submission(id="a", path=handed_in), only=only), ready)


def graded(prepared: tuple[Path, Course], folder: Path, program: str, *only: str) -> dict[str, tuple[str, str]]:
    report = report_of(prepared, folder, program, *only)
    return {case.id: (case.verdict, case.message) for test in report.tests for case in test.cases}


def test_a_right_program_passes_in_a_few_runs_of_each_file(
    prepared: tuple[Path, Course], tmp_path: Path, started: list[Launch]
) -> None:
    report = report_of(prepared, tmp_path, RIGHT)
    cases = {case.id: case for test in report.tests for case in test.cases}
    assert {name: case.verdict for name, case in cases.items()} == dict.fromkeys([*PT, *UT], "passed")
    assert (cases["pt[test_all]"].stdout, cases["pt[test_first]"].stdout) == ("in all\n", "")
    methods = [methods_of(launch) for launch in started]
    # For each file the run that counts, and one for each method, in which that alone is inverted.
    assert [len(found) for found in methods] == [5] * (2 + len(PT) + len(UT))
    for name in ("test_shelf.py", "shelves.py"):
        texts = Counter(text for launch in started for path, text in launch.files.items() if path.endswith(name))
        assert [*texts.values()] == [1] * 6


def test_a_program_that_ends_while_it_is_loaded_has_ended_in_every_method(
    prepared: tuple[Path, Course], tmp_path: Path, started: list[Launch]
) -> None:
    found = graded(prepared, tmp_path, "import os\nos._exit(0)\n", "ut")
    assert found == {
        name: ("crashed", f"`{name.rpartition('.')[2][:-1]}` did not finish: your program ended in it, with status 0.")
        for name in UT
    }
    assert sum(UNITTEST.encode() in launch.files.values() for launch in started) == 1


LETTERS = "abcdefghij"


def verdicts_of_letters(folder: Path, program: str, unit: str) -> dict[str, str]:
    spec = f"{SPEC[: SPEC.index('tests:')]}tests:\n  - name: t\n    unit: {{{unit}}}\n"
    path = course(folder / "course", spec)
    lines = ["import unittest", "from echo import value", "class TestAll(unittest.TestCase):"]
    lines += [
        f"    def test_{one}(self): self.assertEqual(value('{one}'), {place})" for place, one in enumerate(LETTERS)
    ]
    lay(folder / "course/tests", {"t.py": "\n".join(lines)})
    handed_in = submission(folder, program=program)
    report = grade(Job(spec=path, submission=Submission(id="a", path=handed_in)), prepare(path))
    return {case.id.removesuffix("]")[-1]: str(case.verdict) for case in report.tests[0].cases}


MOSTLY_RIGHT = DATA["MOSTLY_RIGHT"]


def test_a_method_that_passed_runs_once_more_before_or_behind(tmp_path: Path, started: list[Launch]) -> None:
    """One that failed was perhaps inverted before that was known, and is not behind."""
    verdicts = verdicts_of_letters(tmp_path, MOSTLY_RIGHT, "unittest: tests/t.py")
    assert verdicts == {**dict.fromkeys(LETTERS, "passed"), "a": "failed"}
    tested = [launch for launch in started if "methods" in request_of(launch)[0]]  # the suite may be collected first
    runs = [(method[-1], launch.files[".grader-unit/t.py"]) for launch in tested for method in methods_of(launch)]
    assert len(runs) == len(tested)  # each in a process of its own
    often = Counter(letter for letter, _ in runs)
    assert often.pop("a") in (1, 2)
    assert often == dict.fromkeys(LETTERS[1:], 2)
    (plain, times), *inverted = Counter(text for _, text in runs).most_common()
    assert (times, len(inverted)) == (len(LETTERS), len(runs) - len(LETTERS))
    assert plain


JAVA_SPEC = DATA["JAVA_SPEC"]
JUNIT = DATA["JUNIT"]


@pytest.mark.slow
def test_copies_for_junit_are_compiled_by_one_machine(tmp_path: Path, started: list[Launch]) -> None:
    """Each has another method inverted."""
    path = course(tmp_path / "course", JAVA_SPEC)
    lay(tmp_path / "course/tests", {"ShelfTest.java": JUNIT})
    handed_in = submission(tmp_path, program="")
    (handed_in / "Shelf.java").write_text('class Shelf { static final int SIZE = Integer.parseInt("1"); }\n')
    report = grade(Job(spec=path, submission=Submission(id="a", path=handed_in)), prepare(path))
    assert [str(case.verdict) for case in report.tests[0].cases] == ["passed"] * 3
    runs = [methods_of(launch) for launch in started if "grader.UnitProbe" in launch.argv]
    assert {len(run) for run in runs if "grader.UnitProbe$Warmup.passes" not in run} == {3}  # a warm-up
    assert [copies for launch in started if (copies := launch.argv.count("+")) > 1] == [3]
