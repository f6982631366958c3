"""The files of a student's folder: made from what is kept, and only when they are not as they should be."""

from collections.abc import Mapping
from pathlib import Path

from grader.classroom.store import ReportKey, files_of, open_store, put_right, results_of
from grader.model import Verdict
from grader.model.gradebook import Entry, Grade, Student
from grader.report import to_json, to_report
from tests.support.report_samples import full_report

KEY = ReportKey(submission="", spec="", reference="", toolchain="", grader="")


def test_files_are_made_once_and_again_when_one_is_not_as_it_should_be(tmp_path: Path) -> None:
    report = to_json(to_report(full_report()))
    wanted = files_of(report, course="CS 12B", after_due=False)
    folder, made = tmp_path / "alice", list[bool]()

    def files(*, after_due: bool = False) -> Mapping[str, bytes]:
        made.append(after_due)
        return files_of(report, course="CS 12B", after_due=after_due)

    with open_store(tmp_path) as store:
        store.enrol([Entry(id="alice", path=tmp_path, students=(Student(id="alice"),))], {"course": "CS 12B"})
        store.put("alice", KEY, report, Verdict.FAILED)
        for _ in range(3):
            put_right("alice", files, store, folder, after_due=False)
        assert made == [False]
        (folder / "feedback.md").write_text("100 of 100")
        (folder / "junit.xml").unlink()
        (grade,) = results_of(store).book.grades
        assert isinstance(grade, Grade)
        assert {name: results_of(store).file(grade, name) for name in wanted} == wanted
        put_right("alice", files, store, folder, after_due=False)
        assert made == [False, False]
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == wanted
        put_right("alice", lambda: files(after_due=True), store, folder, after_due=True)
        assert made == [False, False, True]
        assert b"CS 12B" in (folder / "feedback.html").read_bytes()
