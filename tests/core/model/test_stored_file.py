"""Large files of a course are read when they are used, and count only as they were when the spec was loaded."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import UNSET

from grader.core import judge
from grader.core.cache import Cache
from grader.core.errors import HostError
from grader.core.model.layout import StoredFile, Submission, unread
from grader.core.model.report import Job, TestResult
from grader.core.pipeline import grade, prepare
from grader.core.reader.spec import load
from grader.core.reader.spec_cache import load_cached
from tests.support.packages import lay
from tests.support.rows import read_data

SPEC = read_data(__file__)["SPEC"]
BIG = "".join(f"{number} small\n" for number in range(12_000))


def laid(folder: Path) -> Path:
    ann = "import sys\nsys.stdout.write(sys.stdin.read())\n"
    files = {"specs/echo.yaml": SPEC, "data/big.in": BIG, "data/big.ans": BIG, "ann/main.py": ann}
    return lay(folder, files) / "specs/echo.yaml"


def test_a_large_file_is_not_held_and_is_the_same_to_who_uses_it(tmp_path: Path) -> None:
    path = laid(tmp_path)
    cache = Cache(folder=tmp_path / "cache")
    for spec in (load(path), load_cached(path, cache), load_cached(path, cache)):
        text, tokens, lines, short = spec.tests[0].cases
        assert isinstance(unread(text, "stdin"), StoredFile)
        assert (unread(short, "stdin"), short.stdin) == (b"short", b"short")
        assert text.stdin == spec.attached["data/big.ans"] == BIG.encode()
        wanted = [case.expect.stdout.leaves[0].want for case in (text, tokens, lines) if case.expect.stdout]
        assert wanted == [(BIG,), tuple(BIG.split()), tuple(BIG.splitlines())]


def test_another_content_than_that_of_the_spec_is_nobodys_fault(tmp_path: Path) -> None:
    path = laid(tmp_path)
    lay(tmp_path / "bob", {"main.py": "import sys\nsys.stdout.write(sys.stdin.read()[:-2])\n"})
    course = prepare(path)
    right, wrong = (Job(spec=path, submission=Submission(id=name, path=tmp_path / name)) for name in ("ann", "bob"))
    assert grade(right, course).score == 6
    assert grade(wrong, course).score == 0
    for name in ("big.ans", "big.in"):
        (tmp_path / "data" / name).write_text(BIG[:-2])
        for job in (right, wrong):
            report = grade(job, course)
            assert (report.verdict, report.score) == ("ungraded", None)
        (tmp_path / "data" / name).write_text(BIG)
    assert grade(right, course).score == 6
    held = load(path).tests[0].cases[0]
    (tmp_path / "data/big.in").unlink()
    with pytest.raises(HostError, match="cannot be read any more"):
        held.stdin  # noqa: B018 - reads it


def test_a_hint_that_cannot_read_an_input_any_more_costs_no_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(tmp_path / "bob", {"main.py": "print('short', end='')\n"})
    path = laid(tmp_path)
    find_hints = judge.totals.hint_across_cases

    def find_hints_without_the_file(results: Sequence[TestResult], *_: object) -> tuple[TestResult, ...]:
        (tmp_path / "data/big.in").unlink()
        for result in results:
            for case in result.test.cases:
                assert case.stdin
        return find_hints(results)

    monkeypatch.setattr(judge.totals, "hint_across_cases", find_hints_without_the_file)
    report = grade(Job(spec=path, submission=Submission(id="bob", path=tmp_path / "bob")), prepare(path))
    assert (report.score, report.verdict) == (1.5, "failed")
    shown = [case.input for case in report.tests[0].cases]
    assert shown[0] is UNSET
    assert shown[-1] is not UNSET
