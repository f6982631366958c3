"""A hint is about a line that the run of the failed case reached, where its language shows that."""

from pathlib import Path

import pytest

from grader.core.explain import reasons
from grader.core.model.limits import Limits
from grader.core.pipeline import prepare
from tests.support.courses import grade_files
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
SPEC = DATA["SPEC"]
PYTHON = DATA["PYTHON"]
JAVASCRIPT = DATA["JAVASCRIPT"]
FILES = {"python": ("a.py", "python3 a.py", ""), "javascript": ("a.js", "node a.js", "")}
FILES["c"] = ("a.c", "./a", "build: {run: gcc -o a a.c, produces: [a]}")
HOSTILE = DATA["HOSTILE"]


def told(folder: Path, language: str, text: str, **others: str) -> tuple[float | None, str]:
    """Return the points of a program, and what its case is told."""
    file, program, build = FILES[language]
    text_of_spec = SPEC.format(language=language, file=file, program=program, build=build)
    spec = lay(folder, {"specs/one.yaml": text_of_spec}) / "specs/one.yaml"
    report = grade_files(spec, folder / "work", {file: text, **others}, prepare(spec))
    return report.score, report.tests[0].cases[0].message


@each_row
def test_what_the_run_passes_over_is_not_told(tmp_path: Path, language: str, text: str, reached: str) -> None:
    score, said = told(tmp_path, language, text)
    assert score == 0
    assert reached in said


@pytest.mark.parametrize("begin", HOSTILE.values(), ids=HOSTILE)
def test_who_is_looked_at_gets_no_points_and_keeps_the_verdict(
    tmp_path: Path, begin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reasons, "_SOON", Limits(time=2.0, cpu=1.0))
    score, said = told(tmp_path, "python", begin + PYTHON)
    assert score == 0
    assert said.startswith("Line 1 of standard output is `3`, expected `7`.")


def test_where_nothing_is_known_the_hint_is_shown_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(reasons._LINE_TOOLS, "python", ("", "exit 1"))
    assert "Line 2 of `a.py`" in told(tmp_path, "python", PYTHON)[1]


def test_a_look_that_fails_is_the_last_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a program that has no end under a tracer takes the time of one look, and not of one for each case."""
    looks: list[object] = []

    def fail(*_: object) -> None:
        looks.append(_)
        raise ValueError

    monkeypatch.setattr(reasons, "without_missed", fail)
    more = "".join(
        f'  - {{{{name: b{n}, points: 2, stdin: "4\\n", expect: {{{{stdout: "7\\n"}}}}}}}}\n' for n in range(3)
    )
    monkeypatch.setattr("tests.core.explain.test_reached_lines.SPEC", SPEC + more)
    assert "Line 2 of `a.py`" in told(tmp_path, "python", PYTHON)[1]
    assert len(looks) == 1
