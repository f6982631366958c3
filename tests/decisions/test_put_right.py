"""The files of a student's folder: made from what is kept, and only when they are not as they should be."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from grader.core.model.gradebook import Afterwards, Entry, Grade, Student
from grader.core.model.report import Report, Verdict
from grader.core.report.formats import render as render_report
from grader.core.report.json import to_json, to_report
from grader.results import store as stores
from grader.results.class_files import CLASS_FORMATS, update_class_files
from grader.results.store import ReportKey, files_of, open_store, results_of, update_files
from tests.support.report_samples import full_report

KEY = ReportKey(submission="", spec="", reference="", toolchain="", grader="")


def test_files_are_made_once_and_again_when_one_is_not_as_it_should_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = to_json(to_report(full_report()))
    entry = Entry(id="alice", path=tmp_path, students=(Student(id="alice"),))
    about = {"course": "CS 12B"}
    wanted = files_of(entry, report, about)
    folder, made = tmp_path / "alice", list[bool]()

    def rendered(report: Report, *, course: str, after_due: bool) -> Mapping[str, bytes]:
        made.append(after_due)
        return render_report(report, course=course, after_due=after_due)

    monkeypatch.setattr(stores, "render", rendered)
    with open_store(tmp_path) as store:
        store.enrol([entry], about)
        store.put("alice", KEY, report, Verdict.FAILED)
        for _ in range(3):
            update_files(entry, store, tmp_path, store.about())
        assert made == [False]
        (folder / "feedback.md").write_text("100 of 100")
        (folder / "junit.xml").unlink()
        (grade,) = results_of(store).book.grades
        assert isinstance(grade, Grade)
        assert {name: results_of(store).file(grade, name) for name in wanted} == wanted
        update_files(entry, store, tmp_path, store.about())
        assert made == [False, False]
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == wanted
        store.enrol([entry], {"after_due": "yes"})
        update_files(entry, store, tmp_path, store.about())
        assert made == [False, False, True]
        assert b"CS 12B" in (folder / "feedback.html").read_bytes()


def test_files_of_the_class_are_made_once_and_again_when_they_would_tell_something_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = to_json(to_report(full_report()))
    entry = Entry(id="alice", path=tmp_path, students=(Student(id="alice"),))
    made = list[bytes]()

    def counted(render: Callable[..., bytes], *given: object) -> bytes:
        made.append(render(*given))
        return made[-1]

    for name, render in CLASS_FORMATS.items():
        monkeypatch.setitem(CLASS_FORMATS, name, partial(counted, render))

    def count(*, after_due: bool = False) -> int:
        made.clear()
        store.enrol(store.entries(), {"after_due": "yes" if after_due else ""})
        update_class_files(store, tmp_path)
        return len(made)

    with open_store(tmp_path) as store:
        store.enrol([entry], {"course": "CS 12B"})
        store.put("alice", KEY, report, Verdict.FAILED)
        assert [count(), count()] == [4, 0]
        (tmp_path / "index.html").write_text("100 of 100")
        assert [count(), count()] == [4, 0]
        (tmp_path / "grades.csv").unlink()
        assert [count(), count()] == [4, 0]
        store.enrol([replace(entry, notes=("handed in late",))], {})
        assert [count(), count()] == [4, 0]
        assert b"handed in late" in (tmp_path / "grades.csv").read_bytes()
        store.enrol([replace(entry, after=Afterwards(due="2099-01-01T00:00:00Z"))], {})
        assert [count(), count(after_due=True), count(after_due=True)] == [4, 4, 0]
        store.put("alice", KEY, report + b"\n", Verdict.FAILED)
        assert [count(after_due=True), count()] == [4, 4]


def test_what_many_reports_say_is_in_memory_once(tmp_path: Path) -> None:
    report = to_json(to_report(full_report()))
    with open_store(tmp_path) as store:
        names = [f"s{number}" for number in range(50)]
        store.enrol([Entry(id=name, path=tmp_path, students=(Student(id=name),)) for name in names], {})
        for name in names:
            store.put(name, KEY, report, Verdict.FAILED)
        reports = [grade.report for grade in results_of(store).book.grades if grade.report]
    cases = [[case for test in one.tests for case in test.cases] for one in reports]
    assert len(cases) == 50
    for alike in zip(*cases, strict=True):
        for key in ("id", "command", "message", "deviations", "exit", "likeness"):
            assert len({id(getattr(case, key)) for case in alike}) == 1, key
    assert len({id(one.toolchain) for one in reports}) == 1
